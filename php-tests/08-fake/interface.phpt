--TEST--
FakeClient stands in for the client wherever ClientInterface is asked for
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{ClientInterface, FakeClient, Pending, Request, Response, Responses, StreamedResponse};

function fetch(ClientInterface $client): array
{
    return [$client->get('a')->status, $client->post('a')->status, $client->put('a')->status, $client->patch('a')->status, $client->delete('a')->status,
        $client->head('a')->status, $client->send('OPTIONS', 'a')->status, $client->sendRequest(new Request('GET', 'a'))->status, $client->with()->get('a')->status,
        iterator_to_array($client->sendAll([new Request('GET', 'a')]))[0]->status, $client->stream('GET', 'a')->status, $client->start(new Request('GET', 'a'))->wait()->status];
}
assert_same(array_fill(0, 12, 204), fetch(new FakeClient(static fn() => new Response(status: 204), baseUri: 'http://a.test')));
assert_same(array_fill(0, 12, 204), fetch(new RetryClient(baseUri: script('a', [['status' => 204]]))));

// An application may write one of its own.
$own = new class implements ClientInterface {
    public function send(string $method, string $uri, array $headers = [], mixed $body = null, mixed $json = null, array $form = [], array $query = [], array $multipart = [], mixed $sink = null, ?string $limitKey = null, ?float $cost = null): Response { return new Response(status: 204); }
    public function get(string $uri, array $headers = [], mixed $body = null, mixed $json = null, array $form = [], array $query = [], array $multipart = [], mixed $sink = null, ?string $limitKey = null, ?float $cost = null): Response { return $this->send('GET', $uri); }
    public function post(string $uri, array $headers = [], mixed $body = null, mixed $json = null, array $form = [], array $query = [], array $multipart = [], mixed $sink = null, ?string $limitKey = null, ?float $cost = null): Response { return $this->send('POST', $uri); }
    public function put(string $uri, array $headers = [], mixed $body = null, mixed $json = null, array $form = [], array $query = [], array $multipart = [], mixed $sink = null, ?string $limitKey = null, ?float $cost = null): Response { return $this->send('PUT', $uri); }
    public function patch(string $uri, array $headers = [], mixed $body = null, mixed $json = null, array $form = [], array $query = [], array $multipart = [], mixed $sink = null, ?string $limitKey = null, ?float $cost = null): Response { return $this->send('PATCH', $uri); }
    public function delete(string $uri, array $headers = [], mixed $body = null, mixed $json = null, array $form = [], array $query = [], array $multipart = [], mixed $sink = null, ?string $limitKey = null, ?float $cost = null): Response { return $this->send('DELETE', $uri); }
    public function head(string $uri, array $headers = [], mixed $body = null, mixed $json = null, array $form = [], array $query = [], array $multipart = [], mixed $sink = null, ?string $limitKey = null, ?float $cost = null): Response { return $this->send('HEAD', $uri); }
    public function sendRequest(Request $request): Response { return $this->send($request->method, $request->uri); }
    public function sendAll(iterable $requests, int $concurrency = 8, ?callable $onProgress = null, bool $progress = false, ?string $journal = null): Responses { return $this->fake()->sendAll($requests); }
    public function stream(string $method, string $uri, array $headers = [], mixed $body = null, mixed $json = null, array $form = [], array $query = [], array $multipart = [], ?string $limitKey = null, ?float $cost = null): StreamedResponse { return $this->fake()->stream($method, $uri); }
    public function start(Request $request): Pending { return $this->fake()->start($request); }
    public function with(mixed ...$options): static { return $this; }
    /** Responses, StreamedResponse and Pending cannot be made otherwise. */
    private function fake(): FakeClient { return new FakeClient(static fn() => new Response(status: 204), baseUri: 'http://a.test'); }
};
assert_same(array_fill(0, 12, 204), fetch($own));
done();
?>
--EXPECT--
done
