--TEST--
FakeClient::sendAll(): one request after the other, in the input's order
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{AttemptsExhaustedException, FakeClient, NetworkException, Request, Response};

$gone = new NetworkException('gone', kind: 'dns');
$client = new FakeClient([new Response(body: '1'), new Response(status: 503), new Response(body: '2'), $gone, $gone, new Response(status: 404)], maxAttempts: 2, baseDelay: 1.0);
$taken = [];
$input = (static function () use (&$taken) {
    foreach (['a', 'b', 'c', 'd'] as $key) {
        $taken[] = $key;
        yield [$key] => new Request('POST', "http://a.test/$key");
    }
})();
$progress = [];
$responses = $client->sendAll($input, 3, onProgress: static function ($now) use (&$progress) { $progress[] = [$now->done, $now->total]; });
assert_same([], $taken, 'nothing before the first step');
$got = [];
foreach ($responses as $key => $result) {
    $got[] = [$key, get_debug_type($result), $result->status ?? $result->kind, count($result->attempts), $result->waited ?? null];
}
assert_same([
    [['a'], Response::class, 200, 1, 0.0], [['b'], Response::class, 200, 2, 1.0], [['c'], NetworkException::class, 'dns', 2, null], [['d'], Response::class, 404, 1, 0.0],
], $got);
assert_same(['http://a.test/a', 'http://a.test/b', 'http://a.test/b', 'http://a.test/c', 'http://a.test/c', 'http://a.test/d'], array_map(static fn($request) => $request->uri, $client->requests()), 'requests');
assert_same([1, 2, 3, 4], array_values(array_unique(array_filter(array_column($progress, 0)))), 'onProgress');

// As values only what is the client's; what a script of answers throws else is thrown.
$client = new FakeClient([new Response(status: 429), new Response(status: 429)], maxAttempts: 2);
$results = iterator_to_array($client->sendAll(['k' => new Request('GET', 'http://a.test/')]));
assert_same(AttemptsExhaustedException::class, get_debug_type($results['k']));
$own = new LogicException('mine');
foreach ([new FakeClient([$own, new Response()]), new FakeClient(static fn() => throw $own)] as $client) {
    assert_true(thrown_by(static fn() => iterator_to_array($client->sendAll([new Request('GET', 'http://a.test/'), new Request('GET', 'http://a.test/')]))) === $own, 'a throwable');
}
assert_same(UnderflowException::class, get_debug_type(thrown_by(static fn() => iterator_to_array((new FakeClient([]))->sendAll([new Request('GET', 'http://a.test/')])))), 'used up');

// Broken off, no more is sent.
$client = new FakeClient(static fn() => new Response());
foreach ($client->sendAll(array_fill(0, 5, new Request('GET', 'http://a.test/'))) as $key => $result) {
    if ($key === 1) {
        break;
    }
}
assert_same(2, count($client->requests()), 'after a break');
done();
?>
--EXPECT--
done
