<?php

namespace RetryClient;

/**
 * A call that has begun and goes on beside others. `ClientInterface::start()` makes it and says when it moves on.
 *
 *     $pending = array_map($client->start(...), $requests);
 *     while ($pending) {
 *         foreach (\RetryClient::poll($pending) as $key => $one) {
 *             if ($one->done()) {
 *                 handle($key, $one->wait());
 *                 unset($pending[$key]);
 *             }
 *         }
 *     }
 *
 * Dropping the last reference cancels it. It cannot be cloned or serialized.
 */
final class Pending
{
    private function __construct() {}

    /**
     * Waits for the end: the response that `sendRequest()` would return, or the exception that it would throw. Asked
     * again, it gives the same object again.
     *
     * What a hook of this call threw is thrown here, and nowhere else. In a hook of the call itself there is nothing to
     * wait for: with a `$timeout` it returns null at once, without one that is an \Error.
     *
     * @param float|null $timeout Seconds to wait at most, at least 0; 0.0 only looks. null: until the end. The call goes on
     *     afterwards either way.
     *
     * @return Response|null null: the time has passed first; never without a `$timeout`
     *
     * @throws AttemptsExhaustedException|BudgetExceededException|RateLimitedException|HttpException|NetworkException
     *     as `send()`
     * @throws \Error it was cancelled, or would wait for its own hook
     * @throws \ValueError `$timeout` is negative or not finite
     */
    public function wait(?float $timeout = null): ?Response {}

    /** Ends it at once: the HTTP/1.1 connection is closed, the HTTP/2 stream is reset. After its end it does nothing. */
    public function cancel(): void {}

    /** Whether it has ended, be it by `cancel()`: `wait()` waits no more. */
    public function done(): bool {}

    /**
     * The status of the answer that will be the outcome, as soon as its headers are here; null before, and while answers
     * come that are repeated. If its body breaks and the request is sent again, it is null again. With a `sink`: when
     * the body is written.
     */
    public function status(): ?int {}

    /** The status line's text of that answer, from the same moment on; '' over HTTP/2, which has none; null before. */
    public function reasonPhrase(): ?string {}

    /** '1.1' or '2' ('1.0' if the server answers so), from the same moment on; null before. */
    public function protocol(): ?string {}

    /**
     * The headers of that answer, from the same moment on; [] before.
     *
     * @return array<lowercase-string, list<string>>
     */
    public function headers(): array {}

    /**
     * The bytes of the body, decoded, that have arrived since the last `read()`; '' if there are none.
     *
     * What it hands out is not kept: `Response::$body` is then the rest. Once it has handed out a byte, a body that
     * breaks is not sent for again. `maxBodySize` bounds what has arrived and was not read. With a `sink` there is nothing
     * to read.
     */
    public function read(): string {}

    /**
     * How many bytes of the body have arrived, decoded, read or not; of the answer that `status()` tells.
     *
     * @return int<0, max>
     */
    public function received(): int {}

    /**
     * Unix time at which the wait that the call is in ends: before another attempt, or before the first while a limit
     * holds it back. null while an attempt is under way, while it stands behind other calls of this process under the
     * same limit, and after the end.
     */
    public function waitingUntil(): ?float {}

    /**
     * The `Content-Encoding` and `Content-Length` that the answer came with, as the server wrote them, if `headers()`
     * lacks them because its body is decoded; else [].
     *
     * @return array<lowercase-string, list<string>>
     */
    public function removedHeaders(): array {}
}
