--TEST--
Responses by hand, and with what takes an iterator
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$clients = ['real' => new RetryClient(), 'fake' => new FakeClient(static fn($request) => new Response(body: substr($request->uri, -1)))];
foreach ($clients as $what => $client) {
    $url = script('a', [['action' => 'echo']]);
    $body = static fn(Response $response) => $what === 'real' ? substr($response->json()['query'], -1) : $response->body;
    $requests = static fn() => ['x' => new Request('GET', "$url?n=1"), 'y' => new Request('GET', "$url?n=2"), 'z' => new Request('GET', "$url?n=3")];

    // Every method may be the first one called.
    $firsts = [
        'rewind' => static fn($r) => $r->rewind() ?? true, 'valid' => static fn($r) => $r->valid(),
        'current' => static fn($r) => $body($r->current()) === '1', 'key' => static fn($r) => $r->key() === 'x',
    ];
    foreach ($firsts as $first => $call) {
        $responses = $client->sendAll($requests(), 1);
        assert_same(true, $call($responses), "$what: $first()");
        assert_same([true, 'x', '1'], [$responses->valid(), $responses->key(), $body($responses->current())], "$what: after $first()");
    }
    assert_true($responses->current() === $responses->current(), "$what: the same object");
    $got = [];
    for ($responses = $client->sendAll($requests(), 1); $responses->valid(); $responses->next()) {
        $got[$responses->key()] = $body($responses->current());
    }
    assert_same(['x' => '1', 'y' => '2', 'z' => '3'], $got, "$what: a for loop");
    assert_same([false, null, null], [$responses->valid(), $responses->current(), $responses->key()], "$what: after the end");
    $responses->next();
    assert_same(false, $responses->valid(), "$what: next() after the end");

    // next() as the first one passes the first result over, as it does in a generator.
    $responses = $client->sendAll($requests(), 1);
    $responses->next();
    assert_same('y', $responses->key(), "$what: next() first");

    // iterator_to_array, yield from, spread, and iterators around it.
    assert_same(['x', 'y', 'z'], array_keys(iterator_to_array($client->sendAll($requests(), 1))), "$what: iterator_to_array");
    $outer = (static function () use ($client, $requests) {
        yield 'w' => null;
        return yield from $client->sendAll($requests(), 1);
    })();
    assert_same(['w', 'x', 'y', 'z'], array_keys(iterator_to_array($outer)), "$what: yield from");
    assert_same([['x', 'y', 'z'], 3], [array_keys([...$client->sendAll($requests(), 1)]), iterator_count($client->sendAll($requests(), 1))], "$what: spread and count");
    assert_same(['y'], array_keys(iterator_to_array(new LimitIterator(new IteratorIterator($client->sendAll($requests(), 1)), 1, 1))), "$what: IteratorIterator");
    $mapped = array_map($body, iterator_to_array(new CallbackFilterIterator($client->sendAll($requests(), 1), static fn($response, $key) => $key !== 'y')));
    assert_same(['x' => '1', 'z' => '3'], $mapped, "$what: CallbackFilterIterator");
    [$first, $second] = iterator_to_array($client->sendAll(array_values($requests()), 1));
    assert_same(['1', '2'], [$body($first), $body($second)], "$what: destructuring");
}
done();
?>
--EXPECT--
done
