<?php

/**
 * Sends a batch and answers what came of each key, in the order it came.
 *
 * Plan: `requests`, key => URI, or `uri` and `count`, whose keys are numbers and end the URI; `concurrency`, `progress`,
 * `journal`; `options` of the client; `limitKey` of all (a request's own URI); `notes`, a file to write each key to when it was
 * yielded; `say` to stderr at the end. Progress goes to `progress`.
 */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$plan = plan();
$uris = $plan['requests'] ?? array_map(static fn(int $key) => "$plan[uri]/$key", range(0, $plan['count'] - 1));
$requests = array_map(static fn(string $uri) => new RetryClient\Request('GET', $uri, limitKey: $plan['limitKey'] ?? $uri), $uris);
$client = new RetryClient(...$plan['options'] ?? []);
$results = [];
$progress = [];
$error = null;
try {
    $responses = $client->sendAll(
        $requests,
        $plan['concurrency'] ?? 8,
        static function (RetryClient\Progress $now) use (&$progress): void { $progress[] = get_object_vars($now); },
        $plan['progress'] ?? false,
        $plan['journal'] ?? null,
    );
    foreach ($responses as $key => $result) {
        if (isset($plan['notes'])) {
            file_put_contents($plan['notes'], "$key\n", FILE_APPEND);
        }
        $seen = $result instanceof RetryClient\Response ? returned($result) : thrown($result);
        $results[] = $seen + ['key' => $key, 'at' => microtime(true) - $_SERVER['REQUEST_TIME_FLOAT']];
    }
} catch (ValueError $thrown) {
    $error = $thrown->getMessage();
}
if (isset($plan['say'])) {
    file_put_contents('php://stderr', $plan['say']);
}
answer(['results' => $results, 'progress' => $progress, 'error' => $error]);
