<?php

/** Stand-ins for Laminas' factories, which Debian does not ship; their messages are Guzzle's, whose factory is not there. */

declare(strict_types=1);

namespace Laminas\Diactoros;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\StreamInterface;

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'GuzzleHttp\\Psr7\\') && $class !== 'GuzzleHttp\\Psr7\\HttpFactory') {
        require 'GuzzleHttp/Psr7/' . substr($class, 16) . '.php';
    }
});

final class ResponseFactory implements ResponseFactoryInterface
{
    public function createResponse(int $code = 200, string $reasonPhrase = ''): ResponseInterface
    {
        echo 'response, ';
        return new \GuzzleHttp\Psr7\Response($code, reason: $reasonPhrase);
    }
}

final class StreamFactory implements StreamFactoryInterface
{
    public function createStream(string $content = ''): StreamInterface
    {
        echo 'stream, ';
        return \GuzzleHttp\Psr7\Utils::streamFor($content);
    }

    public function createStreamFromFile(string $filename, string $mode = 'r'): StreamInterface
    {
        throw new \LogicException('not called');
    }

    public function createStreamFromResource($resource): StreamInterface
    {
        throw new \LogicException('not called');
    }
}
