<?php

/** A request of guzzlehttp/psr7 is made, but sent with RetryClient itself. */

require_once 'GuzzleHttp/Psr7/autoload.php';

$factory = new GuzzleHttp\Psr7\HttpFactory();
$client = new RetryClient();

return static function (string $url) use ($factory, $client): string {
    $request = $factory->createRequest('GET', $url);
    return $client->send('GET', $url)->body;
};
