<?php

/**
 * One request with the extension alone: no Composer needed.
 *
 *     API_URL=https://api.example.com/v1 API_KEY=... php plain.php
 */

declare(strict_types=1);

$client = new RetryClient(
    baseUri: getenv('API_URL') ?: 'https://api.example.com/v1',
    headers: ['Authorization' => 'Bearer ' . getenv('API_KEY')],
    maxAttempts: 6,
    budget: 60.0,       // seconds for the whole call, waits included
);

try {
    $response = $client->post('chat', json: ['prompt' => 'Hello'])->throw();
} catch (RetryClient\Exception $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit(1);
}

printf("%s\n", $response->json()['text']);
printf("%d attempts, %.1f s waited\n", count($response->attempts), $response->waited);
