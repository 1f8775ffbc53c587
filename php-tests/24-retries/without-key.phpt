--TEST--
Without keys a 5xx that may have done its work is not repeated for a POST
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$sends = function (array $options, string $method, int $status, array $headers = []): int {
    $client = new RetryClient(...$options, maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, throwOnGiveUp: false);
    $attempts = $client->send($method, script('a', [['status' => $status, 'headers' => $headers]]))->attempts;
    count($attempts) === 1 && assert_same('not-retryable', $attempts[0]->reason->value, "$method $status");
    return count($attempts);
};
$off = ['idempotencyKey' => false];
foreach (['POST', 'PATCH', 'PROPFIND'] as $method) {
    foreach ([500, 502, 504, 599] as $status) {
        assert_same(1, $sends($off, $method, $status), "$method $status");
    }
    foreach ([429, 503, 529] as $status) {
        assert_same(2, $sends($off, $method, $status), "$method $status");
    }
    assert_same(2, $sends($off, $method, 500, [['Retry-After', '0.01']]), "$method 500 with Retry-After");
    assert_same(2, $sends([...$off, 'retryUnsafe' => true], $method, 500), "$method retryUnsafe");
    assert_same(2, $sends([...$off, 'headers' => ['Idempotency-Key' => 'k']], $method, 500), "$method with the caller's key");
}
foreach (['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'] as $method) {
    assert_same(2, $sends($off, $method, 500), $method);
}
assert_same(2, $sends([], 'PROPFIND', 500), 'with keys on, as the loop does');
done();
?>
--EXPECT--
done
