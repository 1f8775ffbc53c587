<?php

/** Gets the plan's `uri` in each of its `ways`, five times, all at once where the way can; answers the bodies. */

declare(strict_types=1);

require __DIR__ . '/lib.php';

use RetryClient\{Pending, Request, Response};

const COUNT = 5;

$plan = plan();
$client = new RetryClient(...$plan['options'] ?? []);
$requests = array_fill(0, COUNT, new Request('GET', $plan['uri']));
$body = static fn(Response $response): string => $response->body;
$bodies = [];
foreach ($plan['ways'] as $way) {
    $bodies[$way] = match ($way) {
        'send' => array_map($body, array_map($client->sendRequest(...), $requests)),
        'start' => array_map($body, array_map(static fn(Pending $one) => $one->wait(), array_map($client->start(...), $requests))),
        'batch' => array_map($body, iterator_to_array($client->sendAll($requests, COUNT), false)),
        'stream' => array_map(static fn(Request $request) => implode('', iterator_to_array($client->stream('GET', $request->uri))), $requests),
    };
}
answer(['bodies' => $bodies]);
