<?php

/**
 * Reads streams of server-sent events with one client, one after the other, and prints what each of them cost, in
 * microseconds.
 *
 * usage: streams.php CLIENT URL COUNT EVENTS BYTES
 *
 * CLIENT is a file of benches/streams. Each stream has so many events with so many bytes of data in all.
 */

declare(strict_types=1);

require __DIR__ . '/../lib/usage.php';

[, $name, $url, $count, $events, $bytes] = $argv;
$open = require __DIR__ . "/../streams/$name.php";
$read = static function () use ($open, $url, $events, $bytes): void {
    $count = $length = 0;
    foreach ($open($url) as $event) {
        $count++;
        $length += strlen($event->data);
    }
    if ($count !== (int) $events || $length !== (int) $bytes) {
        throw new RuntimeException("$count events with $length bytes instead of $events with $bytes");
    }
};

$read();
$read();
[$cpu, $wall] = [cpu(), hrtime(true)];
for ($i = 0; $i < (int) $count; $i++) {
    $read();
}
echo json_encode(['cpu' => (cpu() - $cpu) / $count, 'wall' => (hrtime(true) - $wall) / 1000 / $count]);
