<?php

/**
 * openai-php/client on RetryClient, streams too. That SDK does not retry by itself.
 *
 *     composer require retry-client/retry-client openai-php/client nyholm/psr7
 */

declare(strict_types=1);

require getenv('AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

$http = new RetryClient\Psr18\Client(new RetryClient(maxAttempts: 8, budget: 120.0));

$openai = OpenAI::factory()
    ->withApiKey((string) getenv('API_KEY'))
    ->withBaseUri(getenv('API_URL') ?: 'https://api.openai.com/v1')
    ->withHttpClient($http)
    ->withStreamHandler($http->sendStream(...))
    ->make();

$question = ['model' => 'gpt-4o-mini', 'messages' => [['role' => 'user', 'content' => 'Hello!']]];

$answer = $openai->chat()->create($question);
echo $answer->choices[0]->message->content, "\n";

// The parts are printed as they arrive. Until the first one is here all is retried.
foreach ($openai->chat()->createStreamed($question) as $part) {
    echo $part->choices[0]->delta->content;
}
echo "\n";
