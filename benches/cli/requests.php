<?php

/**
 * Sends requests with one client, one after the other, and prints what each of them cost, in microseconds.
 *
 * usage: requests.php CLIENT URL COUNT
 */

declare(strict_types=1);

require __DIR__ . '/../lib/usage.php';

[, $name, $url, $count] = $argv;
$get = require __DIR__ . "/../clients/$name.php";

for ($i = 0; $i < (int) $count / 20 + 2; $i++) {
    $length = strlen($get($url));
}
[$cpu, $wall] = [cpu(), hrtime(true)];
for ($i = 0; $i < (int) $count; $i++) {
    if (strlen($get($url)) !== $length) {
        throw new RuntimeException('an answer has another length');
    }
}
echo json_encode(['cpu' => (cpu() - $cpu) / $count, 'wall' => (hrtime(true) - $wall) / 1000 / $count]);
