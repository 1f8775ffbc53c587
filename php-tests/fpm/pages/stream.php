<?php

/**
 * Reads streams to their end, one after the other, and answers which events came, and what broke each.
 *
 * Plan: `uris`; `options` of the client; `ini` to set before. `done` is Unix time.
 */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$plan = plan();
foreach ($plan['ini'] ?? [] as [$name, $value]) {
    ini_set($name, $value);
}
$client = new RetryClient(...$plan['options'] ?? []);
$streams = [];
foreach ($plan['uris'] as $uri) {
    $begin = hrtime(true);
    $seen = ['events' => [], 'thrown' => null, 'received' => null];
    $stream = null;
    try {
        $stream = $client->stream('GET', $uri, limitKey: $uri);
        foreach ($stream->events() as $event) {
            $seen['events'][] = $event->data;
        }
    } catch (RetryClient\Exception $thrown) {
        $seen['thrown'] = thrown($thrown);
    }
    $seen['elapsed'] = (hrtime(true) - $begin) / 1e9;
    $seen['done'] = microtime(true);
    $seen['received'] = $stream?->received();
    $streams[] = $seen;
}
answer(['streams' => $streams]);
