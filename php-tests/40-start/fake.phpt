--TEST--
FakeClient::start(): the call runs to its end at once
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, NetworkException, Request, Response};

$client = new FakeClient([new Response(status: 503), new Response(status: 201, headers: ['A' => 'b'], body: 'ok')]);
$pending = $client->start(new Request('GET', 'http://a.test/'));
assert_same([true, 201, ['a' => ['b']], 2, 2], [$pending->done(), $pending->status(), $pending->headers(), $pending->received(), count($client->requests())]);
assert_same(['ok', 0.5, 2], [($response = $pending->wait())->body, $response->waited, count($response->attempts)]);
assert_true($response === $pending->wait(0.0), 'the same object');
assert_same(['k' => $pending], RetryClient::poll(['k' => $pending], 0.0), 'poll()');

$pending = (new FakeClient([new Response(body: 'read')]))->start(new Request('GET', 'http://a.test/'));
assert_same(['read', '', ''], [$pending->read(), $pending->read(), $pending->wait()->body], 'read()');

$own = new LogicException('mine');
$client = new FakeClient([$own, new NetworkException('gone', kind: 'reset')], maxAttempts: 1);
$pending = $client->start(new Request('GET', 'http://a.test/'));
assert_true(thrown_by(static fn() => $pending->wait()) === $own, 'a throwable');
assert_same('reset', thrown_by(static fn() => $client->start(new Request('GET', 'http://a.test/'))->wait(), NetworkException::class)?->kind);
assert_same(UnderflowException::class, get_debug_type(thrown_by(static fn() => $client->start(new Request('GET', 'http://a.test/'))->wait())), 'used up');
$pending->cancel();
assert_true(thrown_by(static fn() => $pending->wait()) === $own, 'cancel() after the end');
done();
?>
--EXPECT--
done
