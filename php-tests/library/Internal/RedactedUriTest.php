<?php

declare(strict_types=1);

namespace RetryClient\Tests\Internal;

use PHPUnit\Framework\TestCase;
use RetryClient\Internal\RedactedUri;

final class RedactedUriTest extends TestCase
{
    /** @dataProvider uris */
    public function testRedacts(string $uri, string $shown): void
    {
        self::assertSame($shown, RedactedUri::of($uri));
    }

    public static function uris(): iterable
    {
        yield ['https://a.test/x', 'https://a.test/x'];
        yield ['https://user:password@a.test:8443/x?key=secret#part', 'https://[redacted]@a.test:8443/x?[redacted]'];
        yield ['https://user@with@two@a.test', 'https://[redacted]@a.test'];
        yield ['https://a.test#part?no=query', 'https://a.test#[redacted]'];
        yield ['HTTPS:\\\\user:password@a.test\\x', 'HTTPS:\\\\[redacted]@a.test\\x'];
        yield ['https:user:password@a.test/x', 'https:[redacted]@a.test/x'];
        yield ['//user:password@a.test/x', '//[redacted]@a.test/x'];
        yield ["ht\ntps://us\ter:password@a.test/\r\nx", 'https://[redacted]@a.test/x'];
        yield ['users/name@a.test', 'users/name@a.test'];
        yield ['/users/name@a.test?key=secret', '/users/name@a.test?[redacted]'];
        yield ['https://a.test/users/name@b.test', 'https://a.test/users/name@b.test'];
        yield ['https://[::1]:81/x?', 'https://[::1]:81/x?[redacted]'];
        yield ["https://a.test/a\u{85}b\u{9b}31m\u{2028}c\u{2029}d", 'https://a.test/ab31mcd'];
        yield ['https://a.test/ü€Âà', 'https://a.test/ü€Âà'];
        yield ["https://a.test/\xff", "https://a.test/\xff"];
        yield ['chat', 'chat'];
        yield ['', ''];
    }
}
