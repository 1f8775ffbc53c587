--TEST--
An error's body goes into the file too, unless throwOnError keeps it in memory
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
$url = script('a', [['status' => 404, 'body' => 'not found']]);
$response = (new RetryClient())->get($url, sink: "$folder/out");
assert_same([404, '', 'not found'], [$response->status, $response->body, file_get_contents("$folder/out")], 'without');
file_put_contents("$folder/out", 'the old one');
$thrown = thrown_by(fn() => (new RetryClient(throwOnError: true))->get($url, sink: "$folder/out"), RetryClient\HttpException::class);
assert_same(['not found', 'the old one'], [$thrown?->response->body, file_get_contents("$folder/out")], 'with');
done();
?>
--EXPECT--
done
