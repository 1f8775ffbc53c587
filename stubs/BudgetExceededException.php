<?php

namespace RetryClient;

/**
 * The time is up, or would be: the next wait or attempt does not fit into `budget` or
 * `retry_client.request_budget`, so it was not begun; or the API has told a call, of this process or another, that it is
 * closed until after that; or the turn under a `limit` comes after it; or the deadline cut an attempt.
 *
 * Thrown early enough for the page to answer by itself, for example with a 503 and `Retry-After: $retryAfter`.
 */
class BudgetExceededException extends \RuntimeException implements GaveUpException
{
    /**
     * Every send of the call.
     *
     * @var list<Attempt>
     */
    public readonly array $attempts;

    /** The last answer, null if there was none. */
    public readonly ?Response $response;

    /** Seconds until the server wants to be asked again, as it said, or until the turn comes; null if neither is known. */
    public readonly ?float $retryAfter;

    /** Seconds the next step needs; 0.0 if the deadline cut an attempt. */
    public readonly float $needed;

    /** Seconds that were left; 0.0 if the deadline cut an attempt. */
    public readonly float $left;

    /**
     * Public so that tests can make one.
     *
     * @param list<Attempt> $attempts
     */
    public function __construct(
        string $message = '',
        int $code = 0,
        ?\Throwable $previous = null,
        array $attempts = [],
        ?Response $response = null,
        ?float $retryAfter = null,
        float $needed = 0.0,
        float $left = 0.0,
    ) {}
}
