<?php

namespace RetryClient;

/**
 * A final status that is an error: by `Response::throw()`, by `throwOnError: true`, or as
 * `AttemptsExhaustedException` by giving up.
 */
class HttpException extends \RuntimeException implements Exception
{
    /**
     * Every send of the call.
     *
     * @var list<Attempt>
     */
    public readonly array $attempts;

    /** The answer with the error status. */
    public readonly Response $response;

    /**
     * Public so that tests can make one.
     *
     * @param list<Attempt> $attempts
     * @param Response|null $response null leaves the property unset: reading it is then an Error
     */
    public function __construct(
        string $message = '',
        int $code = 0,
        ?\Throwable $previous = null,
        array $attempts = [],
        ?Response $response = null,
    ) {}
}
