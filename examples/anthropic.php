<?php

/**
 * Anthropic's SDK on RetryClient, streams too.
 *
 *     composer require retry-client/retry-client anthropic-ai/sdk nyholm/psr7
 *
 * The SDK looks for a client by itself before it takes this one. Where none is installed, name one in composer.json:
 *
 *     {"extra": {"discovery": {"Psr\\Http\\Client\\ClientInterface": "RetryClient\\Psr18\\Client"}}}
 */

declare(strict_types=1);

use Anthropic\RequestOptions;

require getenv('AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

$http = new RetryClient\Psr18\Client(new RetryClient(maxAttempts: 8, budget: 120.0));

$anthropic = new Anthropic\Client(
    apiKey: (string) getenv('API_KEY'),
    baseUrl: getenv('API_URL') ?: 'https://api.anthropic.com',
    requestOptions: RequestOptions::with(
        transporter: $http,
        streamingTransporter: $http->streaming(),
        maxRetries: 0,      // one of the two retries, not both: attempts would multiply
    ),
);

$message = $anthropic->messages->create(
    maxTokens: 1024,
    messages: [['role' => 'user', 'content' => 'Hello!']],
    model: 'claude-sonnet-4-5',
);
echo $message->content[0]->text, "\n";

$stream = $anthropic->messages->createStream(
    maxTokens: 1024,
    messages: [['role' => 'user', 'content' => 'Hello!']],
    model: 'claude-sonnet-4-5',
);
foreach ($stream as $event) {
    if ($event->type === 'content_block_delta') {
        echo $event->delta->text ?? '';
    }
}
echo "\n";
