<?php

/**
 * Guzzle on RetryClient: what was written for Guzzle goes on working, and 429 and 5xx are waited for.
 *
 *     composer require retry-client/retry-client guzzlehttp/guzzle
 *
 * Leave out Guzzle's `Middleware::retry()` and middleware packages that retry: every attempt of theirs would be a call with
 * all attempts of its own, and they know nothing of what other processes were told.
 */

declare(strict_types=1);

use GuzzleHttp\Client;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Pool;
use GuzzleHttp\Psr7\Request;
use Psr\Http\Message\ResponseInterface;
use RetryClient\Guzzle\Handler;

require getenv('AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

$stack = HandlerStack::create(new Handler(new RetryClient(maxAttempts: 8)));
// $stack->push(…): middleware of your own sees one request and its final response.

$client = new Client([
    'handler' => $stack,
    'base_uri' => rtrim(getenv('API_URL') ?: 'https://api.example.com/v1', '/') . '/',
    'headers' => ['Authorization' => 'Bearer ' . getenv('API_KEY')],
    'timeout' => 30,        // one attempt
]);

// Options of the RetryClient for one request:
$response = $client->post('chat', ['json' => ['prompt' => 'Hello'], 'retry_client' => ['budget' => 60.0]]);
echo json_decode((string) $response->getBody(), true)['text'], "\n";

$items = [];
$pool = new Pool($client, array_map(static fn(string $name) => new Request('GET', "items/$name"), ['a', 'b', 'c']), [
    'concurrency' => 10,
    'fulfilled' => static function (ResponseInterface $response, int $index) use (&$items): void {
        $items[$index] = (string) $response->getBody();
    },
    'rejected' => static function (Throwable $reason, int $index): void {
        fwrite(STDERR, "$index: {$reason->getMessage()}\n");
    },
]);
$pool->promise()->wait();
ksort($items);
foreach ($items as $index => $content) {
    echo "$index: $content\n";
}
