--TEST--
A folder that vanishes meanwhile is a sink failure, not tried again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
mkdir("$folder/sub");
$url = script('a', [['body' => 'x']]);
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, onAttempt: function () use ($folder) { rmdir("$folder/sub"); return null; });
$thrown = thrown_by(fn() => $client->get($url, sink: "$folder/sub/out"), RetryClient\NetworkException::class);
assert_same(['sink', 1], [$thrown?->kind, count($thrown->attempts)], 'kind and attempts');
assert_same(RetryClient\Reason::NotRetryable, $thrown->attempts[0]->reason, 'reason');
assert_same(1, count(received('a')), 'requests');
done();
?>
--EXPECT--
done
