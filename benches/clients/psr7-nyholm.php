<?php

/** A request of nyholm/psr7 is made, but sent with RetryClient itself. */

require_once 'Nyholm/Psr7/autoload.php';

$factory = new Nyholm\Psr7\Factory\Psr17Factory();
$client = new RetryClient();

return static function (string $url) use ($factory, $client): string {
    $request = $factory->createRequest('GET', $url);
    return $client->send('GET', $url)->body;
};
