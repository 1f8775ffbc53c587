<?php

/** What opcache preloads: it makes a client and uses it, and says what came of that in a file. */

declare(strict_types=1);

class Preloaded
{
    public function __construct(public readonly RetryClient $client = new RetryClient(maxAttempts: 1)) {}
}

function preloaded(): int
{
    return (new Preloaded())->client->get((string) getenv('PRELOAD_URL'))->status;
}

file_put_contents((string) getenv('PRELOAD_SAYS'), json_encode([
    'status' => preloaded(), 'pid' => getmypid(), 'path' => RetryClient::stats()['state']['path'],
]));
