<?php

/** PSR-18 on RetryClient with messages of nyholm/psr7. */

require_once 'Nyholm/Psr7/autoload.php';
require_once 'Psr/Http/Client/autoload.php';
require_once __DIR__ . '/../lib/library.php';

$factory = new Nyholm\Psr7\Factory\Psr17Factory();
$client = new RetryClient\Psr18\Client(null, $factory);

return static fn(string $url): string => (string) $client->sendRequest($factory->createRequest('GET', $url))->getBody();
