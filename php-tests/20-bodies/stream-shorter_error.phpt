--TEST--
A file that becomes shorter while it is sent is a failure, not a short body
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$path = folder() . '/body';
file_put_contents($path, str_repeat('x', 100_000));
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, onRetry: fn() => file_put_contents($path, 'x'));
$thrown = thrown_by(fn() => $client->put(script('a', [['status' => 503], []]), body: fopen($path, 'r')), RetryClient\NetworkException::class);
assert_same('protocol', $thrown?->kind, 'kind');
assert_same(2, count($thrown->attempts), 'attempts: it is not tried again');
foreach (received('a') as $n => $entry) {
    assert_same($n === 0, $entry['body_complete'], "request $n is complete");
}
done();
?>
--EXPECT--
done
