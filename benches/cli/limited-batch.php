<?php

/**
 * One batch by this process against a server that limits, and prints how it went, as batch.php does.
 *
 * usage: limited-batch.php CLIENT URL COUNT CONCURRENCY TIMEOUT
 *
 * CLIENT is `retry-client` (sendAll) or `guzzle` (Pool, with the middleware for retries and the waits of `make demo`'s
 * loop). It is killed after TIMEOUT seconds.
 */

declare(strict_types=1);

[, $client, $url, $count, $concurrency, $timeout] = $argv;
if (function_exists('pcntl_alarm')) {
    pcntl_alarm((int) $timeout);
}
$result = ['ends' => [0.0], 'lost' => 0, 'reasons' => [], 'unfinished' => (int) $count, 'attempts' => 0, 'served' => [0]];
$begin = hrtime(true);
$note = static function (int $attempts, ?string $reason) use (&$result, &$begin): void {
    $result['unfinished']--;
    $result['attempts'] = max($result['attempts'], $attempts);
    $result['ends'] = [(hrtime(true) - $begin) / 1e9];
    if ($reason === null) {
        $result['served'][0]++;
    } else {
        $result['lost']++;
        $result['reasons'][$reason] = ($result['reasons'][$reason] ?? 0) + 1;
    }
};
$run = $client === 'retry-client' ? retry_client($note) : guzzle($note);
$begin = hrtime(true);
$run($url, (int) $count, (int) $concurrency);
echo json_encode($result);

/** @param callable(int, string|null): void $note */
function retry_client(callable $note): callable
{
    $client = new RetryClient(headers: ['Authorization' => 'Bearer secret']);
    return static function (string $url, int $count, int $concurrency) use ($client, $note): void {
        $requests = (static function () use ($url, $count): Generator {
            for ($i = 0; $i < $count; $i++) {
                yield new RetryClient\Request('POST', $url, json: ['prompt' => 'Translate a sentence.']);
            }
        })();
        foreach ($client->sendAll($requests, concurrency: $concurrency) as $result) {
            $failed = $result instanceof RetryClient\Exception;
            $reason = $failed ? get_class($result) . ': ' . strtok($result->getMessage(), "\n") : ($result->ok() ? null : "status $result->status");
            $note(count($result->attempts), $reason);
        }
    };
}

/** @param callable(int, string|null): void $note */
function guzzle(callable $note): callable
{
    require 'GuzzleHttp/autoload.php';
    error_reporting(E_ALL & ~E_DEPRECATED);       // Debian's Guzzle is older than PHP 8.2
    $stack = GuzzleHttp\HandlerStack::create(new GuzzleHttp\Handler\CurlMultiHandler());
    $stack->push(GuzzleHttp\Middleware::retry(
        static fn(int $retries, $request, $response): bool => $retries < 4 && ($response === null || $response->getStatusCode() === 429 || $response->getStatusCode() >= 500),
        static function (int $retry, $response): int {
            $asked = (float) ($response?->getHeaderLine('Retry-After') ?: 0.5 * 2 ** ($retry - 1));
            return (int) (1000 * (min($asked, 30) + 0.25 * mt_rand() / mt_getrandmax()));
        },
    ));
    $client = new GuzzleHttp\Client(['handler' => $stack, 'headers' => ['Authorization' => 'Bearer secret']]);
    return static function (string $url, int $count, int $concurrency) use ($client, $note): void {
        $requests = (static function () use ($client, $url, $count): Generator {
            for ($i = 0; $i < $count; $i++) {
                yield static fn() => $client->postAsync($url, ['json' => ['prompt' => 'Translate a sentence.']]);
            }
        })();
        $pool = new GuzzleHttp\Pool($client, $requests, [
            'concurrency' => $concurrency,
            'fulfilled' => static fn() => $note(0, null),
            'rejected' => static fn(Throwable $e) => $note(0, $e instanceof GuzzleHttp\Exception\BadResponseException ? 'status ' . $e->getResponse()->getStatusCode() : $e->getMessage()),
        ]);
        $pool->promise()->wait();
    };
}
