<?php

/**
 * A batch against a server that takes its time, many at once, and what `sendAll` costs where it sends one at a time.
 */

declare(strict_types=1);

const BATCH_AT_ONCE = 50;
const BATCH_LATENCY = 0.05;
const BATCH_SERVER = '/bytes/1024?delay=49';       // the server's timer adds a good millisecond; a row tells what it comes to

return static function (Setting $setting): array {
    $clients = ['retry-client' => 'RetryClient', 'guzzle' => 'Guzzle', 'symfony' => 'Symfony HttpClient', 'curl' => 'curl_multi'];
    $count = $setting->size(2000, 500);
    $url = $setting->server->of('http') . BATCH_SERVER;
    $ideal = $count / BATCH_AT_ONCE * BATCH_LATENCY;
    $measurements = ['alone' => static fn(): array => $setting->php('requests.php', ['curl', $url, '10'])];
    foreach (array_keys($clients) as $client) {
        $arguments = [$client, $url, (string) $count, (string) BATCH_AT_ONCE];
        $measurements[$client] = static fn(): array => $setting->php('batch-of-gets.php', $arguments);
    }
    $results = interleaved('batch', $setting->size(11, 1), $measurements);
    $cpu = array_map(static fn(array $rounds): array => array_column($rounds, 'cpu'), $results);
    $wall = array_map(static fn(array $rounds): array => array_column($rounds, 'wall'), $results);
    $times_ideal = static fn(string $client): array => array_map(static fn(float $seconds): float => $seconds / $ideal, $wall[$client]);

    $fast = $setting->server->of('http') . '/bytes/1024';
    $serial = interleaved('batch, one at a time', $setting->size(21, 2), [
        'both' => static fn(): array => $setting->php('one-at-a-time.php', [$fast, '200', (string) $setting->size(10, 2)]),
    ])['both'];
    $each = static fn(string $way, string $what): array => array_column(array_column($serial, $way), $what);

    $rows = [
        new Row('50 at once, wall, RetryClient / ideal', $times_ideal('retry-client'), '%.3f', Target::atMost(1.05)),
        new Row('50 at once, CPU, RetryClient / Guzzle', ratios($cpu['retry-client'], $cpu['guzzle']), '%.2f', Target::atMost(0.5)),
        new Row('50 at once, CPU, RetryClient / Symfony', ratios($cpu['retry-client'], $cpu['symfony']), '%.2f'),
        new Row('50 at once, CPU, RetryClient / curl_multi', ratios($cpu['retry-client'], $cpu['curl']), '%.2f'),
        new Row('one at a time, CPU, sendAll / send', ratios($each('sendAll', 'cpu'), $each('send', 'cpu')), '%.3f', Target::atMost(1.1)),
        new Row('one at a time, wall, sendAll / send', ratios($each('sendAll', 'wall'), $each('send', 'wall')), '%.3f', Target::atMost(1.1)),
    ];
    foreach ($clients as $client => $name) {
        if ($client !== 'retry-client') {
            $rows[] = new Row("$name, 50 at once, wall / ideal", $times_ideal($client), '%.3f');
        }
        $micros = array_map(static fn(float $seconds): float => 1e6 * $seconds / $count, $cpu[$client]);
        $rows[] = new Row("$name, 50 at once, CPU µs per request", $micros, '%.1f');
    }
    $rows[] = new Row('one request alone, ms', array_map(static fn(float $micros): float => $micros / 1000, $wall['alone']), '%.2f');
    foreach (['sendAll', 'send'] as $way) {
        $rows[] = new Row("$way, one at a time, CPU µs", $each($way, 'cpu'), '%.1f');
        $rows[] = new Row("$way, one at a time, wall µs", $each($way, 'wall'), '%.1f');
    }
    return $rows;
};
