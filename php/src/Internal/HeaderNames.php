<?php

declare(strict_types=1);

namespace RetryClient\Internal;

/** @internal */
final class HeaderNames
{
    /** How many are kept: servers may make up new ones for each answer. */
    private const KEPT = 256;

    /** @var array<string, string> */
    private static array $known = [];

    /** `Content-Type` of `content-type`: the extension names headers in lower case, people do not. */
    public static function titled(string $lower): string
    {
        if (isset(self::$known[$lower])) {
            return self::$known[$lower];
        }
        if (count(self::$known) === self::KEPT) {
            self::$known = [];
        }
        return self::$known[$lower] = ucwords($lower, '-');
    }
}
