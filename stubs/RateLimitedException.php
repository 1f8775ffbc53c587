<?php

namespace RetryClient;

/**
 * Held back: the API stayed closed for all waits of this call.
 *
 * Not thrown by this version, which lets a call go after one wait; catch `GaveUpException` to be ready for it.
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

    /** Seconds until the API can be asked again. */
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
