<?php

/**
 * Makes the calls of the plan one after the other and answers what came of each.
 *
 * Plan: `calls`, arguments of send(), whose `limitKey` is the URI unless given: the refusals of one test are none of
 * another's; `options` of the client; `ini` and `env` to set before; `sleep` before all of it; with `stats` the answer has
 * those of the end.
 */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$plan = plan();
usleep((int) (($plan['sleep'] ?? 0) * 1e6));
foreach ($plan['env'] ?? [] as $assignment) {
    putenv($assignment);
}
$ini = [];
foreach ($plan['ini'] ?? [] as [$name, $value]) {
    $ini[] = ini_set($name, $value);
}
$outcomes = [];
foreach ($plan['calls'] ?? [] as $call) {
    $outcomes[] = outcome(static function () use ($plan, $call): RetryClient\Response {
        $client = new RetryClient(...$call['options'] ?? $plan['options'] ?? []);    // a client per call: they share what they can
        if (isset($call['upload'])) {
            $call['body'] = str_repeat('x', $call['upload']);
        }
        if (isset($call['discard'])) {
            $call['sink'] = fopen('/dev/null', 'w');
        }
        unset($call['options'], $call['upload'], $call['discard']);
        return $client->send(...$call + ['limitKey' => $call['uri']]);
    });
}
answer(['ini' => $ini, 'calls' => $outcomes] + (isset($plan['stats']) ? ['stats' => RetryClient::stats()] : []));
