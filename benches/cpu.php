<?php

/**
 * CPU per request of a PHP process that sends many over one kept-alive connection, and wall time of large bodies.
 */

declare(strict_types=1);

return static function (Setting $setting): array {
    $clients = ['retry-client' => 'RetryClient', 'curl' => 'ext-curl', 'guzzle' => 'Guzzle', 'symfony' => 'Symfony HttpClient'];
    $send = static fn(string $client, int $bytes, int $count): array => $setting->php(
        'requests.php',
        [$client, $setting->server->of('http') . "/bytes/$bytes", (string) $count],
    );

    $measurements = [];
    foreach (array_keys($clients) as $client) {
        $measurements[$client] = static fn(): array => $send($client, 1024, $setting->size(5000, 500));
    }
    $results = interleaved('cpu, 1 KB', $setting->size(21, 2), $measurements);
    $cpu = array_map(static fn(array $rounds): array => array_column($rounds, 'cpu'), $results);
    $wall = array_map(static fn(array $rounds): array => array_column($rounds, 'wall'), $results);

    $large = [];
    foreach (['retry-client', 'curl'] as $client) {
        $large[$client] = static fn(): float => $send($client, 1 << 20, $setting->size(200, 50))['wall'];
    }
    $large = interleaved('cpu, 1 MB', $setting->size(15, 2), $large);

    $rows = [
        new Row('1 KB, CPU, RetryClient / ext-curl', ratios($cpu['retry-client'], $cpu['curl']), '%.2f', Target::atMost(1.15)),
        new Row('1 KB, CPU, RetryClient / Guzzle', ratios($cpu['retry-client'], $cpu['guzzle']), '%.2f', Target::atMost(0.45)),
        new Row('1 KB, CPU, RetryClient / Symfony', ratios($cpu['retry-client'], $cpu['symfony']), '%.2f', Target::atMost(0.40)),
        new Row('1 MB, wall, RetryClient / ext-curl', ratios($large['retry-client'], $large['curl']), '%.2f', Target::atMost(1.0)),
    ];
    foreach ($clients as $client => $name) {
        $rows[] = new Row("$name, 1 KB, CPU µs", $cpu[$client], '%.1f');
        $rows[] = new Row("$name, 1 KB, wall µs", $wall[$client], '%.1f');
    }
    $rows[] = new Row('RetryClient, 1 MB, wall µs', $large['retry-client'], '%.0f');
    $rows[] = new Row('ext-curl, 1 MB, wall µs', $large['curl'], '%.0f');
    return $rows;
};
