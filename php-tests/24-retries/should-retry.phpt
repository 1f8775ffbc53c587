--TEST--
x-should-retry and stripe-should-retry: false stop, true adds nothing
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, maxAttempts: 2, throwOnGiveUp: false);
$last = fn(int $status, string ...$header) => $client->get(script('a', [['status' => $status, 'headers' => [$header]]]))->attempts;
foreach (['x-should-retry', 'Stripe-Should-Retry'] as $name) {
    foreach (['false', 'False', ' FALSE '] as $value) {
        $attempts = $last(503, $name, $value);
        assert_same([1, 'not-retryable'], [count($attempts), $attempts[0]->reason->value], "$name: $value");
    }
    assert_same(2, count($last(503, $name, 'true')), "$name: true");
    assert_same(2, count($last(503, $name, 'no')), "$name: no");
    assert_same(1, count($last(409, $name, 'true')), "409 $name: true");
}
done();
?>
--EXPECT--
done
