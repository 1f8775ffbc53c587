<?php

declare(strict_types=1);

namespace RetryClient\Tests;

/** What a test goes on with after a call that must throw. */
trait Catching
{
    /**
     * @template T of \Throwable
     *
     * @param class-string<T> $class
     *
     * @return T
     */
    private static function caught(string $class, callable $call): \Throwable
    {
        try {
            $call();
        } catch (\Throwable $thrown) {
            self::assertInstanceOf($class, $thrown, $thrown::class . ': ' . $thrown->getMessage());
            return $thrown;
        }
        self::fail("nothing was thrown, $class was expected");
    }
}
