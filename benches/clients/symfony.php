<?php

require_once 'Symfony/Component/HttpClient/autoload.php';

$client = Symfony\Component\HttpClient\HttpClient::create();

return static fn(string $url): string => $client->request('GET', $url)->getContent();
