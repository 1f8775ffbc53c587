<?php

require_once 'GuzzleHttp/autoload.php';

$client = new GuzzleHttp\Client();

return static fn(string $url): string => (string) $client->get($url)->getBody();
