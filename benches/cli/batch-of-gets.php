<?php

/**
 * Sends requests with one client, so many of them at once, and prints what all of them together cost.
 *
 * usage: batch-of-gets.php CLIENT URL COUNT CONCURRENCY
 *
 * CLIENT is a file of benches/batches. What it prints is JSON: `wall` and `cpu` in seconds, and `php` (memory_get_usage)
 * and `resident` (VmRSS) in MB, each after a tenth of the requests and at the end. The client gets the requests from a
 * generator. A few requests go before, so that the connections are open and the code is loaded.
 */

declare(strict_types=1);

require __DIR__ . '/../lib/usage.php';

[, $name, $url, $count, $concurrency] = $argv;
[$count, $concurrency] = [(int) $count, (int) $concurrency];
$batch = require __DIR__ . "/../batches/$name.php";

$length = null;
$batch(urls($url, 2 * $concurrency), $concurrency, static function (string $body) use (&$length): void {
    $length = strlen($body);
});

$done = 0;
$memory = ['php' => [], 'resident' => []];
$note = static function () use (&$memory): void {
    $memory['php'][] = memory_get_usage() / 1e6;
    $memory['resident'][] = resident() / 1e6;
};
[$cpu, $wall] = [cpu(), hrtime(true)];
$batch(urls($url, $count), $concurrency, static function (string $body) use (&$done, $count, $length, $note): void {
    if (strlen($body) !== $length) {
        throw new RuntimeException('an answer has another length');
    }
    if (++$done === intdiv($count, 10) || $done === $count) {
        $note();
    }
});
$result = ['wall' => (hrtime(true) - $wall) / 1e9, 'cpu' => (cpu() - $cpu) / 1e6, ...$memory];
if ($done !== $count) {
    throw new RuntimeException("$done of $count requests were answered");
}
echo json_encode($result);

function urls(string $url, int $count): Generator
{
    for ($i = 0; $i < $count; $i++) {
        yield $url;
    }
}
