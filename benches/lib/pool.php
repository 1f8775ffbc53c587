<?php

/** A batch by Guzzle's Pool. */

declare(strict_types=1);

error_reporting(E_ALL & ~E_DEPRECATED);       // Debian's Guzzle is older than PHP 8.2

/** @return Closure(iterable<string> $urls, int $concurrency, callable(string): mixed $each): void */
function pool_on(callable $handler): Closure
{
    $client = new GuzzleHttp\Client(['handler' => GuzzleHttp\HandlerStack::create($handler)]);

    return static function (iterable $urls, int $concurrency, callable $each) use ($client): void {
        $requests = (static function () use ($urls): Generator {
            foreach ($urls as $url) {
                yield new GuzzleHttp\Psr7\Request('GET', $url);
            }
        })();
        $pool = new GuzzleHttp\Pool($client, $requests, [
            'concurrency' => $concurrency,
            'fulfilled' => static fn(Psr\Http\Message\ResponseInterface $response) => $each((string) $response->getBody()),
            'rejected' => static fn(Throwable $reason) => throw $reason,
        ]);
        $pool->promise()->wait();
    };
}
