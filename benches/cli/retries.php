<?php

/**
 * Calls an endpoint that refuses every first request, and prints the attempts of each call.
 *
 * usage: retries.php URL COUNT
 */

declare(strict_types=1);

[, $url, $count] = $argv;
$client = new RetryClient(jitter: 0.0);

$calls = [];
for ($i = 0; $i < (int) $count; $i++) {
    $calls[] = $client->get($url)->throw()->attempts;
}
echo json_encode($calls);
