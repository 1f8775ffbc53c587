<?php

declare(strict_types=1);

namespace RetryClient\Internal;

/**
 * The methods of RFC 9110 and PATCH (RFC 5789), which may be given in lower case and are sent in upper case.
 *
 * @internal
 */
final class KnownMethod
{
    private const ALL = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'];

    /** As it is sent; null: of no standard, and sent as it is. */
    public static function of(string $method): ?string
    {
        $upper = strtoupper($method);
        return in_array($upper, self::ALL, true) ? $upper : null;
    }
}
