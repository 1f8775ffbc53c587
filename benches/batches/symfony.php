<?php

/**
 * Symfony HttpClient's stream(). It gets its requests before the first answer is read, and keeps to a number of connections.
 * Thousands at a time cost it two or three times as much for each, so that it gets them in slices of four times as many as
 * are under way at once.
 */

require_once 'Symfony/Component/HttpClient/autoload.php';

$clients = [];

return static function (iterable $urls, int $concurrency, callable $each) use (&$clients): void {
    $client = $clients[$concurrency] ??= Symfony\Component\HttpClient\HttpClient::create(maxHostConnections: $concurrency);
    $finish = static function (array $responses) use ($client, $each): void {
        foreach ($client->stream($responses) as $response => $chunk) {
            if ($chunk->isLast()) {
                $each($response->getContent());
            }
        }
    };
    $responses = [];
    foreach ($urls as $url) {
        $responses[] = $client->request('GET', $url);
        if (count($responses) === 4 * $concurrency) {
            $finish($responses);
            $responses = [];
        }
    }
    $finish($responses);
};
