<?php

require_once 'GuzzleHttp/autoload.php';

error_reporting(E_ALL & ~E_DEPRECATED);       // Debian's Guzzle is older than PHP 8.2
$handler = new GuzzleHttp\Handler\CurlMultiHandler();
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
