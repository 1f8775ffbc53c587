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
