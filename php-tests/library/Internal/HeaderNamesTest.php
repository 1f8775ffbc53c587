<?php

declare(strict_types=1);

namespace RetryClient\Tests\Internal;

use PHPUnit\Framework\TestCase;
use RetryClient\Internal\HeaderNames;

final class HeaderNamesTest extends TestCase
{
    public function testEachWordBeginsWithACapital(): void
    {
        self::assertSame('Content-Type', HeaderNames::titled('content-type'));
        self::assertSame('Content-Type', HeaderNames::titled('content-type'));
        self::assertSame('X-Request-Id', HeaderNames::titled('x-request-id'));
        self::assertSame('Etag', HeaderNames::titled('etag'));
        self::assertSame('123', HeaderNames::titled('123'));
    }

    public function testNamesThatServersMakeUpDoNotPileUp(): void
    {
        $some = static function (int $from): int {
            for ($i = $from; $i < $from + 1000; $i++) {
                self::assertSame("X-$i", HeaderNames::titled("x-$i"));
            }
            return count((new \ReflectionClass(HeaderNames::class))->getStaticPropertyValue('known'));
        };
        self::assertLessThanOrEqual(256, $some(0));
        self::assertLessThanOrEqual(256, $some(1000));
    }
}
