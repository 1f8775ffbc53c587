<?php

/**
 * A part of a batch of `demo/run` in one process, with `sendAll()`, which draws the line that tells how far it is.
 *
 * It writes a line for each request: `done`, or `lost` and why.
 */

declare(strict_types=1);

[, $first, $last] = $argv;

$client = new RetryClient(headers: ['Authorization' => 'Bearer ' . getenv('API_KEY')]);
$requests = [];
foreach (range((int) $first, (int) $last) as $number) {
    $payload = ['model' => 'demo', 'prompt' => "Translate sentence $number."];
    $requests[$number] = new RetryClient\Request('POST', getenv('API_URL'), json: $payload);
}
foreach ($client->sendAll($requests, concurrency: 8, progress: true) as $result) {
    if ($result instanceof RetryClient\Exception) {
        echo 'lost ', get_class($result), ': ', strtok($result->getMessage(), "\n"), "\n";
    } else {
        echo $result->ok() ? "done\n" : "lost {$result->status}\n";
    }
}
