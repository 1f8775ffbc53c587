<?php

namespace RetryClient;

/**
 * Held back: what other calls were told kept this one from being sent, through all of its waits (`maxAttempts` of them
 * at most); or as many processes as `retry_client.max_waiting` allows wait for the same limit already, and it did not
 * begin to.
 *
 * `$response` and `$attempts` are of what the call itself sent, often nothing. If there is a response, and
 * `throwOnGiveUp` is false, that is returned instead; the `reason` of its last attempt is then `Reason::RateLimited`.
 */
class RateLimitedException extends \RuntimeException implements GaveUpException
{
    /**
     * Every send of the call.
     *
     * @var list<Attempt>
     */
    public readonly array $attempts;

    /** The call's last answer; null if it was never sent. */
    public readonly ?Response $response;

    /** Seconds until the API can be asked again, as far as it is known. */
    public readonly float $retryAfter;

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
        float $retryAfter = 0.0,
    ) {}
}
