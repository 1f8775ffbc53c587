<?php

function ask(array $payload): array
{
    static $client;
    $client ??= new RetryClient(headers: ['Authorization' => 'Bearer ' . getenv('API_KEY')]);
    return $client->post(getenv('API_URL'), json: $payload)->throw()->json();
}
