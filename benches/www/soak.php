<?php

/** A page that sends 100 requests, ten of which fail at first and are repeated after 1 ms. */

$client = new RetryClient(jitter: 0.0);
$retried = 0;
for ($i = 0; $i < 100; $i++) {
    $path = $i % 10 ? 'bytes/1024' : 'soak';
    $response = $client->get("$_SERVER[UPSTREAM]/$path")->throw();
    $retried += count($response->attempts) - 1;
}
echo "$retried ", getmypid();
