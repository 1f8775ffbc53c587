<?php

/**
 * Symfony's HttpClient on RetryClient: its own interface, options and lazy responses.
 *
 *     composer require retry-client/retry-client symfony/http-client
 *
 * For every service that asks for an HttpClientInterface, in config/services.yaml:
 *
 *     services:
 *         RetryClient:
 *             arguments: { $maxAttempts: 8 }
 *         RetryClient\Symfony\HttpClient:
 *             arguments: ['@RetryClient']
 *         Symfony\Contracts\HttpClient\HttpClientInterface: '@RetryClient\Symfony\HttpClient'
 *
 * Leave out `retry_failed` and RetryableHttpClient: attempts would multiply.
 */

declare(strict_types=1);

require getenv('AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

$client = (new RetryClient\Symfony\HttpClient(new RetryClient(maxAttempts: 8)))->withOptions([
    'base_uri' => rtrim(getenv('API_URL') ?: 'https://api.example.com/v1', '/') . '/',
    'auth_bearer' => (string) getenv('API_KEY'),
    'max_duration' => 60.0,     // all attempts, waits and redirects together
]);

$response = $client->request('POST', 'chat', ['json' => ['prompt' => 'Hello']]);
echo $response->toArray()['text'], "\n";

// These are under way at the same time; each is retried for itself.
$responses = [];
foreach (['a', 'b', 'c'] as $name) {
    $responses[] = $client->request('GET', "items/$name", ['user_data' => $name]);
}
$items = [];
foreach ($client->stream($responses) as $response => $chunk) {
    if ($chunk->isLast()) {
        $items[$response->getInfo('user_data')] = $response->getContent();
    }
}
ksort($items);
foreach ($items as $name => $content) {
    echo "$name: $content\n";
}
