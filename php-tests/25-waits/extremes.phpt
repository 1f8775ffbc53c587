--TEST--
The largest and the smallest times are times
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(
    timeout: 1e300, connectTimeout: 1e300, idleTimeout: 1e300, budget: 1e300,
    baseDelay: 1e300, multiplier: 1e300, maxDelay: 0.01, maxRetryAfter: 1e300, jitter: 0.0, maxAttempts: PHP_INT_MAX,
);
$response = $client->get(script('a', [['status' => 503, 'times' => 8], ['body' => 'ok']]));
assert_same(['ok', 9], [$response->body, count($response->attempts)], 'the largest');

$slow = script('b', [['body' => 'x', 'delay_ms' => 300, 'body_delay_ms' => 300]]);
foreach (['timeout' => 0.0, 'budget' => 0.0, 'idleTimeout' => 0.3] as $option => $least) {
    $seconds = seconds(fn() => (new RetryClient(...[$option => 1e-9], maxAttempts: 1))->get($slow), $thrown);
    assert_true($thrown instanceof RetryClient\Exception, "$option: " . get_debug_type($thrown));
    assert_between($least, $least + 0.2, $seconds, $option);
}
done();
?>
--EXPECT--
done
