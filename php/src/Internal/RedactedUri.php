<?php

declare(strict_types=1);

namespace RetryClient\Internal;

/**
 * A URI for people to read: without user and password, query and fragment, which may be secret, and without control
 * characters, which could make up lines of a log. The same shape as in the extension's own messages.
 *
 * @internal
 */
final class RedactedUri
{
    private const MARK = '[redacted]';

    public static function of(string $uri): string
    {
        // C1 controls and the line separators of Unicode are written in UTF-8.
        $uri = (string) preg_replace('/[\x00-\x20\x7f]+|\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]/', '', $uri);
        $shown = substr($uri, 0, strcspn($uri, '?#'));
        $rest = substr($uri, strlen($shown), 1);
        // A backslash is another slash to whoever follows WHATWG's URL standard.
        $shown = (string) preg_replace('~^((?:[a-z][a-z0-9+.-]*:)?[/\\\\]*)[^/\\\\]*@~i', '$1' . self::MARK . '@', $shown);
        return $shown . ($rest === '' ? '' : $rest . self::MARK);
    }
}
