<?php

/**
 * The same requests by `sendAll` with one at a time and by a loop over `send`, in turn, and prints what a request costs
 * either way, in microseconds. In one process, so that whatever else the machine does meets both.
 *
 * usage: one-at-a-time.php URL COUNT REPEATS
 */

declare(strict_types=1);

require __DIR__ . '/../lib/usage.php';

[, $url, $count, $repeats] = $argv;
[$count, $repeats] = [(int) $count, (int) $repeats];
$client = new RetryClient();

$ways = [
    'send' => static function () use ($client, $url, $count): int {
        $length = 0;
        for ($i = 0; $i < $count; $i++) {
            $length += strlen($client->send('GET', $url)->throw()->body);
        }
        return $length;
    },
    'sendAll' => static function () use ($client, $url, $count): int {
        $requests = (static function () use ($url, $count): Generator {
            for ($i = 0; $i < $count; $i++) {
                yield new RetryClient\Request('GET', $url);
            }
        })();
        $length = 0;
        foreach ($client->sendAll($requests, concurrency: 1) as $result) {
            $length += strlen($result instanceof RetryClient\Exception ? throw $result : $result->throw()->body);
        }
        return $length;
    },
];

$length = $ways['send']();      // these two warm up
if ($ways['sendAll']() !== $length) {
    throw new RuntimeException('the answers of sendAll have another length');
}
$used = array_fill_keys(array_keys($ways), ['cpu' => 0.0, 'wall' => 0.0]);
for ($i = 0; $i < $repeats; $i++) {
    foreach ($i % 2 ? array_reverse($ways) : $ways as $name => $way) {
        [$cpu, $wall] = [cpu(), hrtime(true)];
        if ($way() !== $length) {
            throw new RuntimeException("the answers of $name have another length");
        }
        $used[$name]['cpu'] += (cpu() - $cpu) / $count / $repeats;
        $used[$name]['wall'] += (hrtime(true) - $wall) / 1000 / $count / $repeats;
    }
}
echo json_encode($used);
