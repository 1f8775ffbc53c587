<?php

/**
 * Very many requests from a generator, a hundred at once, against a server that answers at once: how many in a second, and
 * what they leave in memory.
 *
 * The others send fewer, for only their rates are compared.
 */

declare(strict_types=1);

const VOLUME_AT_ONCE = 100;

return static function (Setting $setting): array {
    $wrk = load_generator();
    $url = $setting->server->of('http') . '/bytes/1024';
    $count = $setting->size(100_000, 5000);
    $clients = ['retry-client' => 'RetryClient', 'curl' => 'curl_multi', 'guzzle' => 'Guzzle', 'symfony' => 'Symfony HttpClient'];
    $measurements = [];
    foreach (array_keys($clients) as $client) {
        $sent = $client === 'retry-client' ? $count : intdiv($count, 5);
        $arguments = [$client, $url, (string) $sent, (string) VOLUME_AT_ONCE];
        $measurements[$client] = static function () use ($setting, $arguments, $sent): array {
            $result = $setting->php('batch-of-gets.php', $arguments);
            return ['rate' => $sent / $result['wall'], 'cpu' => 1e6 * $result['cpu'] / $sent] + $result;
        };
    }
    $measurements['wrk'] = static fn(): array => ['rate' => wrk_rate($wrk, $url, VOLUME_AT_ONCE, 1)];
    $results = interleaved('volume', $setting->size(7, 1), $measurements);

    $rate = array_map(static fn(array $rounds): array => array_column($rounds, 'rate'), $results);
    $grown = static fn(string $what): array => array_map(
        static fn(array $round): float => $round[$what][1] - $round[$what][0],
        $results['retry-client'],
    );
    $rows = [
        new Row('RetryClient, requests/s', $rate['retry-client'], '%.0f', Target::atLeast(25_000)),
        new Row('memory_get_usage, MB more at the end than after a tenth', $grown('php'), '%.2f', Target::below(1)),
        new Row('resident memory, MB more at the end than after a tenth', $grown('resident'), '%.2f', Target::below(4)),
    ];
    foreach (array_diff_key($clients, ['retry-client' => 0]) as $client => $name) {
        $rows[] = new Row("requests/s, RetryClient / $name", ratios($rate['retry-client'], $rate[$client]), '%.2f');
    }
    foreach ($clients as $client => $name) {
        if ($client !== 'retry-client') {
            $rows[] = new Row("$name, requests/s", $rate[$client], '%.0f');
        }
        $rows[] = new Row("$name, CPU µs per request", array_column($results[$client], 'cpu'), '%.1f');
    }
    $rows[] = new Row('RetryClient, resident memory at the end, MB', array_map(static fn(array $round): float => $round['resident'][1], $results['retry-client']), '%.1f');
    $rows[] = new Row('wrk, requests/s', $rate['wrk'], '%.0f');
    return $rows;
};
