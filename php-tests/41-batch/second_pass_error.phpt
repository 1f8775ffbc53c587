--TEST--
One pass only
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$clients = ['real' => new RetryClient(), 'fake' => new FakeClient(static fn() => new Response())];
foreach ($clients as $what => $client) {
    $url = script('a', [[]]);
    $requests = [new Request('GET', $url), new Request('GET', $url), new Request('GET', $url)];

    $responses = $client->sendAll($requests);
    assert_same(3, count(iterator_to_array($responses, false)), $what);
    assert_same(Error::class, get_debug_type(thrown_by(static function () use ($responses) { foreach ($responses as $response) { fail('a second pass'); } })), "$what: a second foreach");
    assert_same([false, null, null], [$responses->valid(), $responses->current(), $responses->key()], "$what: at the end");
    assert_same(Error::class, get_debug_type(thrown_by(static fn() => $responses->rewind())), "$what: rewind() at the end");

    $responses = $client->sendAll($requests);
    $count = 0;
    foreach ($responses as $response) {
        if (++$count === 2) {
            break;
        }
    }
    assert_same(Error::class, get_debug_type(thrown_by(static function () use ($responses) { foreach ($responses as $response) { fail('a second pass'); } })), "$what: after a break");
}

done();
?>
--EXPECT--
done
