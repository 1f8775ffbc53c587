<?php

declare(strict_types=1);

namespace RetryClient\Internal;

use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\StreamInterface;

/**
 * What the extension sends of a PSR-7 request.
 *
 * @internal
 */
final class Outgoing
{
    /** Bytes up to which a file is read into memory. */
    private const SMALL = 1 << 20;

    /** Bytes that most bodies have at most. */
    private const MOST = 8192;

    /** Streams that give the bytes of their file as they are. Others may change what they read. */
    private const PLAIN = [
        'GuzzleHttp\Psr7\LazyOpenStream' => true,
        'GuzzleHttp\Psr7\Stream' => true,
        'Laminas\Diactoros\Stream' => true,
        'Nyholm\Psr7\Stream' => true,
    ];

    /**
     * The headers without those that the client writes by itself: `Expect: 100-continue`, `Transfer-Encoding: chunked`, and
     * the `Host` of the URI.
     *
     * @return array<string, list<string>>
     */
    public static function headers(RequestInterface $request): array
    {
        $headers = $request->getHeaders();
        foreach ($headers as $name => $values) {
            $own = match (strtolower((string) $name)) {
                'host' => count($values) === 1 && self::isHostOf($request, $values[0]),
                'expect' => strtolower(implode(',', $values)) === '100-continue',
                'transfer-encoding' => strtolower(implode(',', $values)) === 'chunked',
                default => false,
            };
            if ($own) {
                unset($headers[$name]);
            }
        }
        return $headers;
    }

    /**
     * The whole body of a stream that can seek, what is left of another; null if that is nothing. A large file is given as a
     * resource, to be read while it is sent.
     *
     * @return string|resource|null
     *
     * @throws \RuntimeException it cannot be read
     */
    public static function body(RequestInterface $request): mixed
    {
        $body = $request->getBody();
        if ($body->isSeekable()) {
            $body->rewind();
            $contents = $body->read(self::MOST);        // takes less time than to ask for the size
            if (!$body->eof()) {
                if (($file = self::reopened($body, $contents)) !== null) {
                    return $file;
                }
                $contents .= $body->getContents();
            }
        } else {
            $contents = $body->getContents();
            // PHP reads nothing from such a one as php://output, and says nothing.
            if ($contents === '' && !$body->isReadable()) {
                throw new \RuntimeException('The stream is not readable');
            }
        }
        return $contents === '' ? null : $contents;
    }

    /**
     * @param string|resource|null $sink
     *
     * @throws \RuntimeException the body cannot be read
     * @throws \ValueError|\TypeError the request is malformed
     */
    public static function request(RequestInterface $request, mixed $sink = null, ?string $limitKey = null, ?float $cost = null): \RetryClient\Request
    {
        return new \RetryClient\Request(
            $request->getMethod(),
            (string) $request->getUri(),
            self::headers($request),
            self::body($request),
            sink: $sink,
            limitKey: $limitKey,
            cost: $cost,
        );
    }

    private static function isHostOf(RequestInterface $request, string $told): bool
    {
        $uri = $request->getUri();
        $port = $uri->getPort();        // null if it is the scheme's
        return strcasecmp($told, $uri->getHost() . ($port === null ? '' : ":$port")) === 0;
    }

    /** @return resource|null null: it is small, or no file that can be opened again */
    private static function reopened(StreamInterface $body, string $beginning): mixed
    {
        $size = $body->getSize();
        if ($size <= self::SMALL || !isset(self::PLAIN[$body::class]) || $body->getMetadata('wrapper_type') !== 'plainfile') {
            return null;
        }
        $path = $body->getMetadata('uri');
        if (!is_string($path) || !is_file($path) || !is_readable($path)) {
            return null;
        }
        $file = fopen($path, 'rb');
        // It may have been replaced since, or be read through a filter.
        if ($file === false || (fstat($file)['size'] ?? null) !== $size || stream_get_contents($file, strlen($beginning)) !== $beginning) {
            return null;
        }
        rewind($file);
        return $file;
    }
}
