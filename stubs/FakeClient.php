<?php

namespace RetryClient;

/**
 * A client for an application's own tests: the real retry rules over scripted answers, on a clock that jumps.
 *
 * Nothing is sent and no time passes: five 429s with `Retry-After: 30` take less than a millisecond, and
 * `Response::$waited` is what a real call would have waited.
 *
 *     $client = new FakeClient([new Response(status: 429), new Response(body: 'hello')]);
 *     $client->get('https://api.example.com/')->body;   // 'hello'
 *     count($client->requests());                       // 2
 */
final class FakeClient implements ClientInterface
{
    /**
     * @param list<Response|\Throwable>|(callable(Request): Response) $answers One per send, in order; a Throwable is
     *     thrown where the answer would be (a `NetworkException` is retried as on a real network). Or a function that
     *     answers, or throws, for each send. A list that is used up throws `\UnderflowException`. Of a Response status,
     *     reason phrase, protocol, headers and body count: a wait is scripted by its `Retry-After` header.
     * @param mixed ...$options `\RetryClient`'s constructor arguments by name, with its defaults but for `jitter`,
     *     which is 0 unless given. A `limit` is kept on the virtual clock. What the answers say of limits is known to
     *     this object and its copies, and to nobody else.
     *
     * @throws \ValueError|\TypeError as `\RetryClient::__construct()`
     * @throws \Error an unknown name
     */
    public function __construct(array|callable $answers, mixed ...$options) {}

    /**
     * What was sent, in order: one Request per send, so a call that was repeated twice is there three times.
     *
     * @return list<Request>
     */
    public function requests(): array {}

    /** {@inheritDoc} */
    public function send(
        string $method,
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        mixed $sink = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ): Response {}

    /** {@inheritDoc} */
    public function get(
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        mixed $sink = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ): Response {}

    /** {@inheritDoc} */
    public function post(
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        mixed $sink = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ): Response {}

    /** {@inheritDoc} */
    public function put(
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        mixed $sink = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ): Response {}

    /** {@inheritDoc} */
    public function patch(
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        mixed $sink = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ): Response {}

    /** {@inheritDoc} */
    public function delete(
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        mixed $sink = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ): Response {}

    /** {@inheritDoc} */
    public function head(
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        mixed $sink = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ): Response {}

    /** {@inheritDoc} */
    public function sendRequest(Request $request): Response {}

    /** {@inheritDoc} */
    public function sendAll(
        iterable $requests,
        int $concurrency = 8,
        ?callable $onProgress = null,
        bool $progress = false,
        ?string $journal = null,
    ): Responses {}

    /** {@inheritDoc} */
    public function stream(
        string $method,
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ): StreamedResponse {}

    /** {@inheritDoc} */
    public function start(Request $request): Pending {}

    /** {@inheritDoc} */
    public function with(mixed ...$options): static {}
}
