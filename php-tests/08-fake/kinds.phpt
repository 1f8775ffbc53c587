--TEST--
FakeClient: which kinds of network failure are repeated, by method
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, NetworkException, Response};

function sends(string $kind, string $method, array $headers = [], mixed ...$options): int
{
    $client = new FakeClient([new NetworkException('x', kind: $kind), new Response()], ...$options);
    try {
        $client->send($method, 'http://a.test/', $headers);
    } catch (NetworkException $e) {
        assert_same($kind, $e->kind);
    }
    return count($client->requests());
}

foreach (['dns', 'connect', 'tls'] as $unsent) {
    assert_same([2, 2, 2], [sends($unsent, 'GET'), sends($unsent, 'POST'), sends($unsent, 'LOCK')], $unsent);
}
foreach (['timeout', 'reset', 'protocol'] as $unknown) {
    foreach (['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'] as $idempotent) {
        assert_same(2, sends($unknown, $idempotent), "$unknown $idempotent");
    }
    foreach (['POST', 'PATCH', 'LOCK', 'purge'] as $other) {
        assert_same(1, sends($unknown, $other), "$unknown $other");
        assert_same(2, sends($unknown, $other, ['Idempotency-Key' => 'mine']), "$unknown $other with a key of the caller's");
        assert_same(2, sends($unknown, $other, retryUnsafe: true), "$unknown $other with retryUnsafe");
    }
}
foreach (['too-large', 'redirect', 'sink'] as $permanent) {
    assert_same([1, 1], [sends($permanent, 'GET'), sends($permanent, 'GET', retryUnsafe: true)], $permanent);
}
done();
?>
--EXPECT--
done
