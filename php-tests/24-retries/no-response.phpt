--TEST--
After a lost answer only a request that may be repeated is repeated
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$sends = function (string $method, array $options = []) use (&$thrown): int {
    $client = new RetryClient(...$options, maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
    $thrown = thrown_by(fn() => $client->send($method, script('a', [['action' => 'reset']]), body: 'x'), RetryClient\NetworkException::class);
    $made = count(received('a', 1));
    assert_same([$made, 'reset'], [count($thrown->attempts), $thrown->kind], $method);
    return $made;
};
foreach (['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'] as $method) {
    assert_same([2, 'attempts-exhausted'], [$sends($method), $thrown->attempts[1]->reason->value], $method);
}
foreach (['POST', 'PATCH', 'PROPFIND'] as $method) {
    assert_same([1, 'not-retryable'], [$sends($method), $thrown->attempts[0]->reason->value], $method);
    assert_same(2, $sends($method, ['retryUnsafe' => true]), "$method with retryUnsafe");
    assert_same(2, $sends($method, ['headers' => ['Idempotency-Key' => 'mine']]), "$method with the caller's key");
}
done();
?>
--EXPECT--
done
