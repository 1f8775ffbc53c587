<?php

declare(strict_types=1);

namespace RetryClient\Listener;

use RetryClient\Attempt;
use RetryClient\Request;
use RetryClient\Response;

/**
 * What hears of every call of a client; `Hooks::of()` makes it the client's hooks.
 *
 * All methods are given the same Request object for one call. Calls of `sendAll()` and `start()` interleave, so what is
 * kept about a call is found by that object: two calls of one object at a time can only be told apart by the numbers of
 * their attempts. A listener that throws ends the call.
 */
interface Listener
{
    /**
     * Before each send.
     *
     * @param int<1, max> $number of the attempt
     *
     * @return array<string, string|list<string>> headers to add to this attempt
     */
    public function onAttempt(Request $request, int $number): array;

    /**
     * After each send. `$attempt->reason` says whether the call goes on: `RetryAfter`, `Backoff` and `Network` are waits.
     *
     * @param Response|null $response without its body if that is not read yet; null if no answer came
     */
    public function onOutcome(Attempt $attempt, ?Response $response, Request $request): void;

    /** Before each wait. */
    public function onRetry(Attempt $failed, float $wait, Request $request): void;

    /** In place of `onRetry()` when a hook of the application has returned false: the call ends. */
    public function onStopped(Attempt $last, Request $request): void;
}
