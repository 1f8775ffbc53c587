<?php

/**
 * An HTTP client that waits and sends again when an API answers 429 or 5xx, as the answer asks and as time allows.
 *
 *     $client = new RetryClient(baseUri: 'https://api.example.com/v1', headers: ['Authorization' => "Bearer $token"]);
 *     $answer = $client->post('chat', json: ['model' => 'm', 'messages' => $messages])->json();
 *
 * Connections belong to the process, not to the object: clients are cheap, and under PHP-FPM connections stay open
 * from one page to the next. No cookies are kept. A client cannot be cloned, serialized or given dynamic properties.
 */
final class RetryClient implements RetryClient\ClientInterface
{
    /**
     * Every argument is optional and meant to be given by name. Times are seconds as float and finite.
     *
     * An attempt is one send, the first included. Before attempt n + 1 the client waits
     * `min($baseDelay * $multiplier ** (n - 1), $maxDelay)`, or, if the server named a time,
     * `min(that, $maxRetryAfter)`; up to `$jitter` is added in both cases. With the defaults that is 0.5, 1, 2 and
     * 4 s plus up to 0.25 s each: five attempts wait 7.5 to 8.5 s in all.
     *
     * The server names a time by, in this order: `retry-after-ms` (OpenAI, Azure) or `x-ms-retry-after-ms` (Azure),
     * milliseconds; `Retry-After` (RFC 9110 section 10.2.3), seconds or an HTTP-date; `RetryInfo.retryDelay` in the
     * body (google.rpc.RetryInfo). A malformed value, zero or a date in the past names none.
     *
     * A call ends early, with the answer as it is, when the server says that another attempt is useless:
     * `x-should-retry: false` (OpenAI, Anthropic), `stripe-should-retry: false` (Stripe), or a 429 whose JSON error
     * says that waiting does not help (used-up credit, a quota per day).
     *
     * What an API says about its limit holds for all calls under it, whichever process of this system user makes them
     * (`$share`). A 429, or a 503 or 529 that names a time, shuts the gate of that limit until then, for at most an
     * hour; each call waits for at most its own `$maxRetryAfter`, then one goes ahead, and the others follow paced.
     * Quota headers are read, too: `x-ratelimit-*` in its many forms, `anthropic-ratelimit-*`, `RateLimit`
     * (draft-ietf-httpapi-ratelimit-headers) and others. An API that says none of this is never slowed, unless
     * `$limit` is given.
     *
     * Hooks are called while PHP waits, be it for another call; `ClientInterface::start()` says how they meet.
     *
     * @param string|null $baseUri Absolute URI that relative ones are joined to (RFC 3986 section 5.2), its path taken
     *     as ending in `/`: `https://a.example/v1` and `chat` make `https://a.example/v1/chat`. `user:password@` becomes
     *     `Authorization: Basic`.
     * @param array<string, string|list<string>> $headers Sent with every request. A request's own header of the same
     *     name, in any case, replaces it. On a redirect to another origin `Authorization` and `Cookie` are left out.
     * @param int<1, max> $maxAttempts Sends in all. 1: never repeats.
     * @param float $baseDelay Wait before attempt 2 when the server names no time. At least 0.
     * @param float $multiplier Factor from one wait to the next. At least 1; 1 keeps them equal.
     * @param float $maxDelay Cap of the client's own backoff. At least 0. Jitter comes on top.
     * @param float $jitter Up to this much, uniformly at random, is added to every wait, so that processes refused
     *     together do not come back together. At least 0; 0 makes waits exact.
     * @param float $maxRetryAfter Cap of what the server asks for. At least 0. If it asks for more, the client tries
     *     again after this long, unless a budget is running: then a wish that ends after the budget is a
     *     `BudgetExceededException` at once.
     * @param list<int|string> $retryOn Statuses that are repeated: 100 to 599, or a class from `'1xx'` to `'5xx'`.
     *     Replaces the default; an empty list repeats no status.
     * @param bool $retryUnsafe true: also repeat a POST, PATCH or other non-idempotent request of which nobody knows
     *     whether the server got it (connection lost, timeout). The work may then be done twice.
     * @param bool $idempotencyKey true: a POST or PATCH without an `Idempotency-Key`
     *     (draft-ietf-httpapi-idempotency-key-header) gets one, a UUIDv7 (RFC 9562), the same on all attempts of a
     *     call. A key in the request's headers is never replaced. false: none is added; without a key of the caller's
     *     and without `$retryUnsafe`, of the 5xx only 503, 529 and those with `Retry-After` then repeat a
     *     non-idempotent request.
     * @param bool $throwOnGiveUp true: giving up on a status throws. false: it returns the last response, whose last
     *     attempt's `reason` says why. Without any response it throws either way.
     * @param bool $throwOnError true: every final status of 400 or more is an `HttpException`.
     * @param float $timeout One attempt, from connecting to the last byte of the body, of a stream to the first,
     *     redirects included. More than 0. The default is long because an AI answer can take minutes.
     * @param float $connectTimeout DNS, connect and TLS of one attempt. More than 0. Running into it is safe to
     *     repeat: nothing was sent.
     * @param float|null $idleTimeout Longest silence between two reads, counted from the response's headers on, of a
     *     stream from its first byte on. More than 0. null: no limit of its own, but 55 for a stream in a web request.
     * @param float|null $budget One call, all attempts and waits included. More than 0. null: none of its own; under a
     *     web SAPI the directive `retry_client.request_budget` still holds, and the earlier of the two counts. A wait
     *     or attempt that would not fit is not begun.
     * @param int<0, max> $maxRedirects 0: redirects are handed back as answers. 301 and 302 turn POST, and 303 every
     *     method but HEAD, into GET; 307 and 308 keep method and body (RFC 9110 section 15.4).
     * @param bool $decode true: asks for and undoes gzip, deflate, br and zstd; `Content-Encoding` and
     *     `Content-Length` are then absent from the response's headers.
     * @param int<0, max> $maxBodySize Bytes of a response's body in memory, after decompression. More is a
     *     `NetworkException` of kind `too-large`, never a memory_limit error. Does not bound a `sink` or a stream.
     * @param string|null $proxy `http://[user:password@]host:port`. null: `https_proxy`, `http_proxy`, `all_proxy`
     *     and `no_proxy` of the environment as it is at the call; HTTP_PROXY in capitals is never read in a web
     *     request. '': no proxy.
     * @param string|bool $verify true: the CA file of `retry_client.ca_file`, else `openssl.cafile`, else
     *     `curl.cainfo`, else the system's store. A string: this CA file (PEM). false: certificates are not checked,
     *     and anybody on the way can read and change what is sent.
     * @param string|null $cert Client certificate, PEM file.
     * @param string|null $key Its private key, PEM file.
     * @param array<string, string> $resolve Addresses, IPv4 or IPv6, of hosts that DNS is not asked for:
     *     `['api.example.com' => '192.0.2.1']`. The certificate must still be the host's, and `Host` names it. A proxy is
     *     found by DNS all the same, and where the proxy looks up the host (all but `socks4` and `socks5`), this does
     *     nothing. Only clients with the same `$resolve` share connections.
     * @param '1.0'|'1.1'|null $httpVersion What requests are sent as. null: HTTP/2 where the server offers it in the TLS
     *     handshake, else 1.1. '1.1': never HTTP/2. '1.0': HTTP/1.0, whose connections most servers close after the
     *     answer. `Response::$protocol` is what the server answers.
     * @param string|null $userAgent null: `retry_client/<version> PHP/<version>`. '': no such header.
     *     `User-Agent` in `$headers` wins.
     * @param bool $share true: what is known about limits is shared with the other processes of this system user on
     *     this machine, in the file that `retry_client.shared_memory` names. false: only with the calls of this process
     *     that do not share either.
     * @param string|null $limit A limit of the caller's own, never exceeded by all processes that share it together:
     *     `'40/min'`, one every 1.5 s; `'500/min burst 20'`, the same kind of pace, and up to 20 at once after a pause;
     *     `'40 per 4s'`, at most 40 in any 4 s (1000 at most); `'5 at once'`, at most 5 under way. Several are combined
     *     by commas. Numbers are integers of at least 1; units are `ms`, `s`, `min`, `h` and `day`, with a number before
     *     them if need be (`'40/90s'`); letter case and blanks do not matter. It counts requests, or their `cost`, per
     *     origin and API key, or per `$limitKey`; limits of different text count apart. The wait for a turn is no
     *     attempt and is bounded by budgets only: a turn that comes later is a `BudgetExceededException` at once.
     *     A place under `'5 at once'` is taken before `$onAttempt` is called: a call from there under the same limit
     *     needs another.
     * @param string|null $limitKey Name that limits are known under, of any bytes, not empty: calls to the same origin
     *     under the same name share them. null: calls share what an API said if they have the same origin, API key
     *     (of `Authorization: Bearer` or `Basic`, or a `*-api-key` header) and scope, which is the `model` in the JSON
     *     body or in the path (`/models/{model}`), or else the path without its ids.
     * @param (callable(RetryClient\Attempt, float, RetryClient\Request): (false|null|void))|null $onRetry Called before
     *     each wait with the failed attempt, the seconds to come and, if it declares a third parameter, the request.
     *     Returning exactly false stops: the call ends as if no attempt were left. What it throws ends the call.
     * @param (callable(RetryClient\Request, int): (array<string, string|list<string>>|null|void))|null $onAttempt
     *     Called before each send with the request and the attempt's number. Returned headers are added to this
     *     attempt (a `traceparent`, a fresh signature).
     * @param (callable(RetryClient\Attempt, RetryClient\Response|null, RetryClient\Request): void)|null $onOutcome Called
     *     after each send with what came of it and, if it declares a third parameter, the request. All hooks of a call get
     *     the same object as the request.
     *
     * @throws \ValueError|\TypeError an option is wrong
     */
    public function __construct(
        #[\SensitiveParameter] ?string $baseUri = null,
        #[\SensitiveParameter] array $headers = [],
        int $maxAttempts = 5,
        float $baseDelay = 0.5,
        float $multiplier = 2.0,
        float $maxDelay = 30.0,
        float $jitter = 0.25,
        float $maxRetryAfter = 30.0,
        array $retryOn = [429, '5xx'],
        bool $retryUnsafe = false,
        bool $idempotencyKey = true,
        bool $throwOnGiveUp = true,
        bool $throwOnError = false,
        float $timeout = 600.0,
        float $connectTimeout = 10.0,
        ?float $idleTimeout = null,
        ?float $budget = null,
        int $maxRedirects = 5,
        bool $decode = true,
        int $maxBodySize = 67108864,
        #[\SensitiveParameter] ?string $proxy = null,
        string|bool $verify = true,
        ?string $cert = null,
        #[\SensitiveParameter] ?string $key = null,
        array $resolve = [],
        ?string $httpVersion = null,
        ?string $userAgent = null,
        bool $share = true,
        ?string $limit = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?callable $onRetry = null,
        ?callable $onAttempt = null,
        ?callable $onOutcome = null,
    ) {}

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
    ): RetryClient\Response {}

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
    ): RetryClient\Response {}

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
    ): RetryClient\Response {}

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
    ): RetryClient\Response {}

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
    ): RetryClient\Response {}

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
    ): RetryClient\Response {}

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
    ): RetryClient\Response {}

    /** {@inheritDoc} */
    public function sendRequest(RetryClient\Request $request): RetryClient\Response {}

    /** {@inheritDoc} */
    public function sendAll(
        iterable $requests,
        int $concurrency = 8,
        ?callable $onProgress = null,
        bool $progress = false,
        ?string $journal = null,
    ): RetryClient\Responses {}

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
    ): RetryClient\StreamedResponse {}

    /** {@inheritDoc} */
    public function start(RetryClient\Request $request): RetryClient\Pending {}

    /** {@inheritDoc} */
    public function with(mixed ...$options): static {}

    /**
     * Waits until something has come of calls that were started, and returns those: the ones that have ended, and the
     * ones of which a status, headers or bytes of the body have arrived since `poll()` last returned them.
     *
     *     while (!RetryClient::poll([$pending], 0.1)) {
     *         $spinner->turn();
     *     }
     *
     * One that has ended is returned each time. Keys and their order are those of `$pending`, which may be of any
     * clients, FakeClients among them. All other calls move on meanwhile. In a hook of one of them, which has no news
     * before that hook has returned, it does not wait with a `$timeout`, and without one it is an \Error.
     *
     * @template TKey of array-key
     *
     * @param iterable<TKey, RetryClient\Pending> $pending None: returns [] at once.
     * @param float|null $timeout Seconds to wait at most, at least 0; then []. 0.0: what can be done without waiting.
     *     null: any time.
     *
     * @return array<TKey, RetryClient\Pending>
     *
     * @throws \TypeError an element is no Pending, or a key is not int|string
     * @throws \ValueError `$timeout` is negative or not finite
     * @throws \Error it would wait for the hook that it is called in
     */
    public static function poll(iterable $pending, ?float $timeout = null): array {}

    /**
     * What is known about each limit, and what was done under it: for a person to read and for metrics to export.
     *
     *     foreach (RetryClient::stats()['keys'] as $key) {
     *         $gauge->set($key['held'], ['origin' => $key['origin'], 'id' => $key['id']]);
     *     }
     *
     * In a web request only the limits that this process has used are listed, on the command line all that are in the
     * shared state. Numbers are those of all processes that share, since the file was made; nothing resets them but
     * the end of the file. Times are seconds. No API key can be read or guessed from it; origins, models and the rules
     * of a `limit` are shown.
     *
     * `state`:
     * - `shared`: whether other processes can see it. `path`: the file, null if it is not shared. `reason`: why it is
     *   not, or which part of it is not; null if all is, or if `retry_client.shared_memory` is empty.
     * - `processes`: how many share it now, this one included; 1 if it is not shared.
     * - `full`: true: there is no room for further limits, and those are known per process.
     *
     * Each of `keys`:
     * - `id`: 16 hex digits that name the limit; a keyed hash, the same for all who share. `origin`: such as
     *   `https://api.example.com`. `model`: that of the requests' JSON body or path, null if they name none.
     * - `limit`: the rule of the caller's `limit` that this entry counts, such as `40/min`; a `limit` of several rules has
     *   an entry for each. null: this is what the API said.
     * - What was learned of the API's limit: `rate`, how much it is paced at, in cost per second, null: not paced;
     *   `window`, so much in so many `seconds`, null: none; `atOnce`, how many may be under way at once, null: any
     *   number. All null where `limit` is not.
     * - `opensIn`: seconds until its gate opens; null: it is open.
     * - `sent`, `accepted`, `refused`: requests; `refused` are the 429s. `held`: seconds that requests were held back
     *   before they were sent, added up. `waiting`: processes that wait for it now.
     *
     * @return array{
     *     state: array{shared: bool, path: string|null, reason: string|null, processes: int<1, max>, full: bool},
     *     keys: list<array{
     *         id: non-empty-string,
     *         origin: string,
     *         model: string|null,
     *         limit: string|null,
     *         rate: float|null,
     *         window: array{limit: float, seconds: float}|null,
     *         atOnce: int<1, max>|null,
     *         opensIn: float|null,
     *         sent: int<0, max>,
     *         accepted: int<0, max>,
     *         refused: int<0, max>,
     *         held: float,
     *         waiting: int<0, max>,
     *     }>,
     * }
     */
    public static function stats(): array {}
}
