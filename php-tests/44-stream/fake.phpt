--TEST--
FakeClient::stream()
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{AttemptsExhaustedException, FakeClient, NetworkException, Response};

$client = new FakeClient([new Response(status: 429, headers: ['Retry-After' => '20']), new Response(status: 203, reasonPhrase: 'Fine', protocol: '2', headers: ['A' => ['b', 'c']], body: "event: e\ndata: 1\n\ndata: 2\n\ndata: 3")]);
$stream = $client->stream('POST', 'http://a.test/', json: ['stream' => true]);
assert_same([203, 'Fine', '2', 'b, c', 'http://a.test/', 2, 20.0, 20.0, true], [$stream->status, $stream->reasonPhrase, $stream->protocol, $stream->header('a'), $stream->uri, count($stream->attempts), $stream->waited, $stream->elapsed, $stream->ok()]);
assert_same([['e', '1'], ['message', '2']], array_map(static fn($event) => [$event->event, $event->data], iterator_to_array($stream->events())));
assert_same([34, 2, ['stream' => true]], [$stream->received(), count($client->requests()), $client->requests()[1]->json]);

$client = new FakeClient(static fn() => new Response(body: "a\nb"));
assert_same(["a\nb"], [implode('', iterator_to_array($client->stream('GET', 'http://a.test/')))], 'chunks');
assert_same(['a', 'b'], iterator_to_array($client->stream('GET', 'http://a.test/')->lines()), 'lines');
assert_same([], iterator_to_array((new FakeClient([new Response(status: 204)]))->stream('GET', 'http://a.test/')), 'empty');

thrown_by(static fn() => (new FakeClient(static fn() => new Response(status: 500), maxAttempts: 2))->stream('GET', 'http://a.test/'), AttemptsExhaustedException::class);
thrown_by(static fn() => (new FakeClient([new NetworkException(kind: 'reset')], maxAttempts: 1))->stream('GET', 'http://a.test/'), NetworkException::class);
$own = new LogicException('mine');
assert_true(thrown_by(static fn() => (new FakeClient([$own]))->stream('GET', 'http://a.test/')) === $own, 'a throwable');
thrown_by(static fn() => (new FakeClient([]))->stream('GET', 'http://a.test/'), UnderflowException::class);
assert_same(404, (new FakeClient([new Response(status: 404)]))->stream('GET', 'http://a.test/')->status);
done();
?>
--EXPECT--
done
