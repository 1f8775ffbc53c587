<?php

/**
 * Calls an endpoint that refuses every first request, and prints the attempts of each call. Each call has a limit of its
 * own, so that none is paced by what another learned.
 *
 * usage: retries.php URL COUNT
 */

declare(strict_types=1);

[, $url, $count] = $argv;
$client = new RetryClient(jitter: 0.0);

$calls = [];
for ($i = 0; $i < (int) $count; $i++) {
    $calls[] = $client->get($url, limitKey: uniqid())->throw()->attempts;
}
echo json_encode($calls);
