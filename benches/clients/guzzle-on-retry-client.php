<?php

/** Guzzle with RetryClient in the place of cURL. */

require_once 'GuzzleHttp/autoload.php';
require_once __DIR__ . '/../lib/library.php';

$client = new GuzzleHttp\Client(['handler' => GuzzleHttp\HandlerStack::create(new RetryClient\Guzzle\Handler())]);

return static fn(string $url): string => (string) $client->get($url)->getBody();
