--TEST--
An error's body goes into the stream too, unless throwOnError keeps it in memory
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 404, 'body' => 'not found']]);
$stream = fopen('php://memory', 'w+');
assert_same('', (new RetryClient())->get($url, sink: $stream)->body, 'without');
assert_same(9, ftell($stream), 'without');
$thrown = thrown_by(fn() => (new RetryClient(throwOnError: true))->get($url, sink: $stream), RetryClient\HttpException::class);
assert_same(['not found', 9], [$thrown?->response->body, ftell($stream)], 'with');
done();
?>
--EXPECT--
done
