--TEST--
received() tells the same after read(), after wait() and when it was given up
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{AttemptsExhaustedException, FakeClient, HttpException, Request, Response};

$long = str_repeat('0123456789', 100);
$ended = static function (RetryClient $client, string $url, mixed ...$more): RetryClient\Pending {
    $pending = $client->start(apart($url, ...$more));
    poll_until(static fn() => $pending->done(), $pending);
    return $pending;
};
$client = new RetryClient(verify: server('ca'), maxAttempts: 1);
foreach (['http', 'h2'] as $on) {
    $url = script('a', [['body' => $long]], $on);
    $pending = $ended($client, $url);
    assert_same([1000, $long, 1000, '', 1000, '', 1000, 200], [$pending->received(), $pending->read(), $pending->received(), $pending->wait()->body, $pending->received(), $pending->read(), $pending->received(), $pending->status()], "$on: read, then waited for");
    $pending = $ended($client, $url);
    assert_same([1000, $long, 1000, '', 1000], [$pending->received(), $pending->wait()->body, $pending->received(), $pending->read(), $pending->received()], "$on: waited for");
    $pending->cancel();
    assert_same([1000, 200], [$pending->received(), $pending->status()], "$on: cancelled after its end");

    // An answer that ends in an exception.
    foreach ([[503, AttemptsExhaustedException::class], [404, HttpException::class]] as [$status, $class]) {
        $url = script('b', [['status' => $status, 'body' => 'hello']], $on);
        $pending = $ended($client->with(throwOnError: true), $url);
        $before = $pending->received();
        assert_same([5, 'hello'], [$before, thrown_by(static fn() => $pending->wait(), $class)?->response->body], "$on, $status");
        assert_same([5, $status, ''], [$pending->received(), $pending->status(), $pending->read()], "$on, $status: after wait()");
        $pending = $ended($client->with(throwOnError: true), $url);
        assert_same([5, 'hello', 5], [$pending->received(), $pending->read(), $pending->received()], "$on, $status: read");
        assert_same(['', 5, $status], [thrown_by(static fn() => $pending->wait(), $class)?->response->body, $pending->received(), $pending->status()], "$on, $status: read, then waited for");
    }
    // And one that is handed back.
    $pending = $ended($client->with(throwOnGiveUp: false), script('c', [['status' => 503, 'body' => 'hello']], $on));
    assert_same([5, 'hello', 5, '', 5, 503], [$pending->received(), $pending->read(), $pending->received(), $pending->wait()->body, $pending->received(), $pending->status()], "$on: given up, without an exception");
}

// In pieces.
$pending = $client->start(apart(script('d', [chunks(['12', '345', '6'], 80)])));
$read = '';
$received = [];
while (!$pending->done()) {
    RetryClient::poll([$pending]);
    $read .= $pending->read();
    $received[] = $pending->received();
    assert_same(strlen($read), $pending->received(), 'what was read is what was received');
}
assert_same(['123456', 6, '', 6], [$read, end($received), $pending->wait()->body, $pending->received()], 'in pieces');

// A FakeClient's, and a stream's that was given up.
$pending = (new FakeClient([new Response(body: 'hello')]))->start(new Request('GET', 'http://a.test/'));
assert_same([5, 'hello', 5, '', 5], [$pending->received(), $pending->read(), $pending->received(), $pending->wait()->body, $pending->received()], 'FakeClient');
$stream = $client->with(throwOnGiveUp: false)->stream('GET', script('e', [['status' => 503, 'body' => 'hello']]));
assert_same([5, 'hello', 5], [$stream->received(), implode('', iterator_to_array($stream)), $stream->received()], 'a stream');
done();
?>
--EXPECT--
done
