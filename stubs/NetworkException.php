<?php

namespace RetryClient;

/**
 * No response came, or none that can be used; or a stream broke.
 *
 * Thrown after the last attempt, or at once where sending again is unsafe (a POST that may have arrived) or
 * useless (a certificate that does not hold).
 */
class NetworkException extends \RuntimeException implements Exception
{
    /**
     * Every send of the call.
     *
     * @var list<Attempt>
     */
    public readonly array $attempts;

    /**
     * What failed: the name lookup, the connection, the TLS handshake or certificate; `timeout`, `connectTimeout` or
     * `idleTimeout` ran out; the connection broke; the answer breaks HTTP or its content coding; it is larger than
     * `maxBodySize`, its headers than 64 KiB, or a stream's line or event than 16 MiB; a redirect cannot be followed; the
     * sink cannot be written.
     *
     * @var 'dns'|'connect'|'tls'|'timeout'|'reset'|'protocol'|'too-large'|'redirect'|'sink'
     */
    public readonly string $kind;

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
        string $kind = '',
    ) {}
}
