<?php

declare(strict_types=1);

namespace RetryClient\Internal;

/** @internal */
final class HeaderNames
{
    /** @var array<string, string> */
    private static array $known = [];

    /** `Content-Type` of `content-type`: the extension names headers in lower case, people do not. */
    public static function titled(string $lower): string
    {
        return self::$known[$lower] ??= ucwords($lower, '-');
    }
}
