<?php

declare(strict_types=1);

namespace RetryClient\Internal;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use RetryClient\MissingRequirement;

/**
 * The PSR-17 factories that are installed.
 *
 * @internal
 */
final class Factories
{
    private const RESPONSES = ['Nyholm\Psr7\Factory\Psr17Factory', 'GuzzleHttp\Psr7\HttpFactory', 'Laminas\Diactoros\ResponseFactory'];
    private const STREAMS = ['Nyholm\Psr7\Factory\Psr17Factory', 'GuzzleHttp\Psr7\HttpFactory', 'Laminas\Diactoros\StreamFactory'];

    /**
     * @param class-string $for the class that needs it
     *
     * @throws MissingRequirement there is none
     */
    public static function responses(string $for): ResponseFactoryInterface
    {
        return self::first(self::RESPONSES, $for);
    }

    /**
     * @param class-string $for the class that needs it
     *
     * @throws MissingRequirement there is none
     */
    public static function streams(string $for): StreamFactoryInterface
    {
        return self::first(self::STREAMS, $for);
    }

    /** @param list<class-string> $classes */
    private static function first(array $classes, string $for): object
    {
        foreach ($classes as $class) {
            if (class_exists($class)) {
                return new $class();
            }
        }
        throw new MissingRequirement(sprintf('%s needs PSR-17 factories: run "composer require nyholm/psr7".', $for));
    }
}
