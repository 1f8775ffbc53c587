--TEST--
FakeClient: a function that answers
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, NetworkException, Request, Response};

// It gets each send as a Request, and nothing else.
$arguments = [];
$client = new FakeClient(static function (mixed ...$given) use (&$arguments): Response {
    $arguments[] = $given;
    return new Response(status: count($arguments) < 3 ? 503 : 200, body: $given[0]->json['text'] ?? '');
});
assert_same('hello', $client->post('http://a.test/', json: ['text' => 'hello'])->body);
assert_same([1, 1, 1], array_map('count', $arguments));
assert_same([Request::class], array_values(array_unique(array_map(static fn($given) => $given[0]::class, $arguments))));
assert_true($arguments[2][0] === $client->requests()[2], 'the same object as in requests()');

// Any callable, bound to where the client was made.
function answer(Request $request): Response { return new Response(body: 'function'); }
class Server
{
    public static function fixed(): Response { return new Response(body: 'static'); }
    public function __invoke(): Response { return new Response(body: 'invoke'); }
    private function hidden(): Response { return new Response(body: 'private'); }
    public function client(): FakeClient { return new FakeClient([$this, 'hidden']); }
}
foreach (['answer' => 'function', 'Server::fixed' => 'static'] as $name => $body) {
    assert_same($body, (new FakeClient($name))->get('http://a.test/')->body);
}
assert_same('static', (new FakeClient(['Server', 'fixed']))->get('http://a.test/')->body, 'an array that is callable');
assert_same('invoke', (new FakeClient(new Server()))->get('http://a.test/')->body);
assert_same('private', (new Server())->client()->get('http://a.test/')->body);

// What it throws or returns as Throwable is an answer too.
$client = new FakeClient(static fn() => throw new NetworkException('down', kind: 'connect'), maxAttempts: 3);
assert_same(3, count(thrown_by(static fn() => $client->get('http://a.test/'), NetworkException::class)->attempts), 'thrown');
$client = new FakeClient(static fn() => new NetworkException('down', kind: 'connect'), maxAttempts: 3);
assert_same(3, count(thrown_by(static fn() => $client->get('http://a.test/'), NetworkException::class)->attempts), 'returned');
$own = new LogicException('mine');
assert_same($own, thrown_by(static fn() => (new FakeClient(static fn() => throw $own))->get('http://a.test/'), LogicException::class));

// It may use the client itself.
$client = new FakeClient(static function (Request $request) use (&$client): Response {
    return str_ends_with($request->uri, '/token') ? new Response(body: 'secret') : new Response(body: 'with ' . $client->get('http://a.test/token')->body);
});
assert_same('with secret', $client->get('http://a.test/')->body, 're-entered');
assert_same(['http://a.test/', 'http://a.test/token'], array_column($client->requests(), 'uri'));
done();
?>
--EXPECT--
done
