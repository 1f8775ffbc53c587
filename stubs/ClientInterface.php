<?php

namespace RetryClient;

/**
 * What applications type-hint: `\RetryClient` sends for real, `FakeClient` answers from a script.
 *
 * Every method that sends obeys the options of the client it is called on. Times are seconds as float.
 */
interface ClientInterface
{
    /**
     * Sends one request, repeats it as the client's options allow, and returns the final answer.
     *
     * A status in `retryOn` (429 and every 5xx unless set otherwise) is waited for and sent again, whatever the
     * method; any other status is an answer and is returned at once, 4xx included. A POST or PATCH carries an
     * `Idempotency-Key`, the same on every attempt of this call, so that a server that knows the header does the
     * work once. When no response came, the request is sent again if it provably never left, if its method is
     * idempotent (RFC 9110 section 9.2.2), or if the caller gave the `Idempotency-Key`.
     *
     * At most one of `$body`, `$json`, `$form` and `$multipart` may be given. Null, and an empty `$form` or
     * `$multipart`, mean "not given".
     *
     * @param string $method A method (RFC 9110 section 9). The standard ones may be written in lower case; any other is
     *     sent as written. CONNECT is refused.
     * @param string $uri Absolute (`http` or `https`), or relative to `baseUri` (RFC 3986 section 5.2). A fragment is
     *     not sent.
     * @param array<string, string|list<string>> $headers For this request only; a name given here, in any case,
     *     replaces the client's header of that name. A list sends one line per value, an empty list none, not even the
     *     client's. Values are bytes without control characters. `Transfer-Encoding` and `Expect: 100-continue` are
     *     refused.
     * @param string|\Stringable|resource|null $body A stream is sent from where it stands, by every attempt; one that is
     *     not a file is read into memory first. It stays open. Sets no `Content-Type`.
     * @param mixed $json Encoded by PHP's `json_encode` (slashes and Unicode unescaped; `JsonSerializable` counts) and
     *     sent as `application/json` unless a `Content-Type` is given. For a JSON null use `body: 'null'`.
     * @param array<array-key, mixed> $form Sent as `application/x-www-form-urlencoded`, encoded like
     *     `http_build_query`.
     * @param array<array-key, mixed> $query Encoded like `http_build_query` with `PHP_QUERY_RFC3986` and merged over
     *     the URI's own query: a name given here replaces it.
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     *     Fields of a `multipart/form-data` body (RFC 7578). A stream on a file is read from disk while it is sent, and
     *     its name is the `filename` unless given; the `type` of a file is `application/octet-stream` unless given.
     * @param string|resource|null $sink Where the final response's body goes instead of `Response::$body`: a path or a
     *     writable stream. A file is written beside its name and renamed when complete, so that a failed call leaves
     *     the old file. Not bounded by `maxBodySize`. Bodies of answers that are retried do not reach it.
     * @param string|null $limitKey In place of the client's `limitKey`. Not empty.
     * @param float|null $cost How much the request takes from its limits. Greater than 0, finite, and at most what the
     *     client's `limit` allows at once (its burst, or the number of its window, which counts whole costs, rounded up).
     *     null: 1 from a limit of requests; from one of tokens an estimate, a quarter of the body's bytes plus the
     *     `max_tokens`, `max_completion_tokens` or `max_output_tokens` of a JSON body.
     *
     * @throws AttemptsExhaustedException the last allowed attempt got a status that asks for another, or `onRetry`
     *     stopped (not with `throwOnGiveUp: false`)
     * @throws BudgetExceededException the time left is too short for the next wait or attempt, or for its turn under a
     *     limit
     * @throws RateLimitedException held back by the API for all waits of this call, or as many processes as
     *     `retry_client.max_waiting` allows wait for the same limit already
     * @throws HttpException a final status of 400 or more, only with `throwOnError: true`
     * @throws NetworkException no response; its `$kind` says why
     * @throws \ValueError|\TypeError an argument is wrong; nothing has been sent
     * @throws \JsonException `$json` cannot be encoded; nothing has been sent
     */
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
    ): Response;

    /**
     * `send('GET', …)`: the arguments are those of `send()`, without the method.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|\Stringable|resource|null $body
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $query
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     * @param string|resource|null $sink
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \ValueError|\TypeError|\JsonException as `send()`
     */
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
    ): Response;

    /**
     * `send('POST', …)`. Repeated like every other method, with an `Idempotency-Key` unless the client was made with
     * `idempotencyKey: false`.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|\Stringable|resource|null $body
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $query
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     * @param string|resource|null $sink
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \ValueError|\TypeError|\JsonException as `send()`
     */
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
    ): Response;

    /**
     * `send('PUT', …)`.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|\Stringable|resource|null $body
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $query
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     * @param string|resource|null $sink
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \ValueError|\TypeError|\JsonException as `send()`
     */
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
    ): Response;

    /**
     * `send('PATCH', …)`. Repeated with an `Idempotency-Key`, as `post()`.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|\Stringable|resource|null $body
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $query
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     * @param string|resource|null $sink
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \ValueError|\TypeError|\JsonException as `send()`
     */
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
    ): Response;

    /**
     * `send('DELETE', …)`.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|\Stringable|resource|null $body
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $query
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     * @param string|resource|null $sink
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \ValueError|\TypeError|\JsonException as `send()`
     */
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
    ): Response;

    /**
     * `send('HEAD', …)`. The answer has headers and an empty body.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|\Stringable|resource|null $body
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $query
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     * @param string|resource|null $sink
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \ValueError|\TypeError|\JsonException as `send()`
     */
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
    ): Response;

    /**
     * Sends a request made beforehand: `send()` with the request's properties as arguments.
     *
     * A Request can be sent more than once; each call is a call of its own, with an `Idempotency-Key` of its own
     * unless the request's headers name one. A stream body is sent from where it stands then.
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \ValueError|\TypeError|\JsonException as `send()`
     */
    public function sendRequest(Request $request): Response;

    /**
     * Sends many requests, at most `$concurrency` of them at once, and yields each result with its key as it finishes.
     *
     *     foreach ($client->sendAll($requests, concurrency: 20) as $key => $result) {
     *         if ($result instanceof Response) {
     *             save($key, $result->json());
     *         } else {
     *             report($key, $result);      // a RetryClient\Exception, as a value
     *         }
     *     }
     *
     * Each request is a call of its own, with this client's options and hooks, and fails for itself. One that waits (for
     * `Retry-After`, its backoff, or its turn under a limit) leaves its place to another, so that besides those in
     * flight as many may wait. `budget` counts for each request from when its turn in the batch has come.
     *
     * Nothing is taken from the input, and nothing is sent, before the first step of the iteration. Up to `$concurrency`
     * requests stand ready behind those in flight, and at most as many results are read ahead: a generator of a million
     * requests runs in the memory of some `$concurrency` of them. With `$concurrency` 1 nothing is taken ahead: the next
     * request is taken and sent when the loop asks for the next result. With a `$journal` all keys are kept in memory, too.
     *
     * All moves on while PHP is in the iterator, or waits for any other call (see `start()`). While the body of the loop
     * runs nothing moves; that time counts against no timeout, but against `budget` and `retry_client.request_budget`.
     * A call that the body makes may use the same client.
     *
     * When the Responses are dropped, by a `break`, an exception in the body or the end of the script, what is in flight
     * is cancelled. `Responses` says what the iteration throws.
     *
     * A FakeClient sends one request after the other, in the order of the input.
     *
     * **Journal.** With `$journal` each Response is appended to that file before it is yielded. Another `sendAll()` with
     * the same file yields what it has first, as Responses equal to those but for what is named below, and sends only
     * what is missing: of an array all that is journaled comes first, of another iterable it comes as it is reached, while
     * up to `$concurrency` missing requests are held back.
     * - A line counts when it is whole, and half a line at the end is removed: whatever kills the process, `kill -9`
     *   included, no result that was yielded is sent again. Lines are brought to the disk (fdatasync) about once a second
     *   and at the end, so that a power failure takes the last ones only.
     * - Only Responses are journaled: a 404, and with `throwOnGiveUp: false` the last response of a request that was given
     *   up. What ended in an exception is sent again.
     * - Keys are int or string and come once; int 1 and string "1" are two. A key stands for its request: method, URI,
     *   headers and body are hashed (SHA-256), and the same key with another hash is a \ValueError. Credentials
     *   (`Authorization`, `Proxy-Authorization`, `Cookie`, `*-api-key`, user and password of the URI), `User-Agent`,
     *   `Idempotency-Key`, a multipart boundary, `limitKey`, `cost` and `sink` are no part of it: a batch goes on with a
     *   new token. Entries whose keys do not come are left alone: a batch may grow or shrink.
     * - The file is made with mode 0600, and locked (flock) until the last result has been passed or the Responses are
     *   dropped. The first line is `{"format":"retry_client journal","version":1}`, each other a JSON object with `key`,
     *   `hash`, `status`, `reason`, `protocol`, `headers` (pairs of name and value), `uri`, `retryAfter`, `attempts`,
     *   `waited`, `elapsed` and `body`; bytes that are not UTF-8 are `{"base64": "…"}`. Of the request there is nothing but
     *   key and hash. Of the answer there is all but `Set-Cookie` and the URI's user, password, query and fragment. A body
     *   that went to a `sink` is not there, and that sink is not written again.
     *
     * @template TKey
     *
     * @param iterable<TKey, Request> $requests Keys may be of any type, and come more than once. A Request may, too: each
     *     time is a call.
     * @param int<1, max> $concurrency How many are in flight at once, so how many connections there are at most.
     * @param (callable(Progress): void)|null $onProgress Called before each result is handed out, and about once a
     *     second while none is.
     * @param bool $progress true: a line on stderr, redrawn in place where that is a terminal, else written about every
     *     five seconds and at the end: how much is done, the rate, 429s, the wait, the time left. On the command line only:
     *     in a web request it does nothing.
     * @param string|null $journal Path of a local file, which `open_basedir` must allow. null: no journal.
     *
     * @return Responses<TKey>
     *
     * @throws \ValueError|\TypeError an argument is wrong; the journal cannot be opened, is in use, is damaged in another
     *     than its last line, or is another kind of file. Nothing has been taken from the input
     */
    public function sendAll(
        iterable $requests,
        int $concurrency = 8,
        ?callable $onProgress = null,
        bool $progress = false,
        ?string $journal = null,
    ): Responses;

    /**
     * Sends one request, and returns when the first byte of the final answer's body, or its end, is there: the rest is
     * read while it arrives. The arguments are those of `send()`, without `$sink`.
     *
     *     foreach ($client->stream('POST', 'chat', json: ['stream' => true] + $payload)->events() as $event) {
     *         echo $event->data, "\n";
     *         flush();
     *     }
     *
     * Until it returns all is repeated as in `send()`; afterwards nothing is. `timeout` and `connectTimeout` hold until
     * then, `idleTimeout` from then on; in a web request `idleTimeout` is 55 unless it is set, since nginx counts the
     * time between two reads (`fastcgi_read_timeout`). `budget` holds to the end, and so does a
     * `retry_client.request_budget` that is a number; `auto` holds until it returns. `onOutcome` is called then, with
     * a Response that has no body.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|\Stringable|resource|null $body
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $query
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \ValueError|\TypeError|\JsonException as `send()`
     */
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
    ): StreamedResponse;

    /**
     * Begins a call and returns at once; the request is on its way, and `Pending` tells what comes of it. Options of its
     * own: `$client->with(timeout: 5.0)->start($request)`.
     *
     * There is one thread. Started calls, those of batches and streams move on together while PHP waits for any of them:
     * in `RetryClient::poll()`, `Pending::wait()`, `send()` and its like, the iterators of `sendAll()` and `stream()`.
     * While other PHP code runs nothing moves, and that time counts against no timeout, but against `budget` and
     * `retry_client.request_budget`.
     *
     * So hooks of this call run inside of whichever of these is waiting. What one of them throws ends this call only, and
     * `Pending::wait()` throws it; `exit` ends the script. In a hook a client can be used, and all calls move on while it
     * waits there, but of their hooks only those of the calls that it waits for are called; the others' come when it has
     * returned.
     *
     * With a FakeClient the call runs to its end in `start()`.
     *
     * @throws \ValueError|\TypeError|\JsonException as `send()`; nothing has been sent. All that comes later is the
     *     Pending's to tell
     */
    public function start(Request $request): Pending;

    /**
     * A copy of this client with some options changed: any constructor argument, by name.
     *
     * An option that is not named keeps its value; one that is named with null is set to null. The copy uses the same
     * connections where the options that identify them (proxy, CA file, `verify`, client certificate) are the same.
     *
     *     $patient = $client->with(maxAttempts: 8, budget: 120.0);
     *
     * @param mixed ...$options constructor arguments by name; positional ones are an ArgumentCountError
     *
     * @throws \ValueError|\TypeError as the constructor
     * @throws \Error an unknown name
     */
    public function with(mixed ...$options): static;
}
