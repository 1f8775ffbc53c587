<?php

/** What the Composer library's adapters cost over the extension itself, and beside what else does their work. */

declare(strict_types=1);

const POOL_REQUESTS = 200;
const POOL_AT_ONCE = 25;
const POOL_LATENCY = 0.05;
const POOL_SERVER = '/bytes/1024?delay=49';        // the server's timer adds a good millisecond

return static function (Setting $setting): array {
    $clients = [
        'retry-client' => 'RetryClient',
        'psr18-nyholm' => 'PSR-18, nyholm/psr7',
        'psr7-nyholm' => 'RetryClient, a request of nyholm/psr7 made beside it',
        'psr18-guzzle' => 'PSR-18, guzzlehttp/psr7',
        'psr7-guzzle' => 'RetryClient, a request of guzzlehttp/psr7 made beside it',
        'guzzle-on-retry-client' => 'Guzzle on RetryClient',
        'guzzle' => 'Guzzle on cURL',
    ];
    $url = $setting->server->of('http') . '/bytes/1024';
    $count = (string) $setting->size(5000, 500);
    $measurements = [];
    foreach (array_keys($clients) as $client) {
        $measurements[$client] = static fn(): float => $setting->php('requests.php', [$client, $url, $count])['cpu'];
    }
    $cpu = interleaved('adapters, 1 KB', $setting->size(21, 2), $measurements);

    $rows = [];
    foreach (['nyholm' => 'nyholm/psr7', 'guzzle' => 'guzzlehttp/psr7'] as $name => $package) {
        $added = differences($cpu["psr18-$name"], $cpu["psr7-$name"]);
        $rows[] = new Row("PSR-18 over send, $package, 1 KB, CPU µs", $added, '%.1f', Target::atMost(15.0));
    }
    $ratio = ratios($cpu['guzzle-on-retry-client'], $cpu['guzzle']);
    $rows[] = new Row('Guzzle on our handler / Guzzle on cURL, 1 KB, CPU', $ratio, '%.2f', Target::atMost(0.75));

    $pools = [];
    $arguments = [$setting->server->of('http') . POOL_SERVER, (string) POOL_REQUESTS, (string) POOL_AT_ONCE];
    foreach (['guzzle-on-retry-client', 'guzzle'] as $client) {
        $pools[$client] = static fn(): float => $setting->php('batch-of-gets.php', [$client, ...$arguments])['wall'];
    }
    $ideal = POOL_REQUESTS / POOL_AT_ONCE * POOL_LATENCY;
    foreach (interleaved('adapters, pool', $setting->size(11, 1), $pools) as $client => $walls) {
        $target = $client === 'guzzle' ? null : Target::atMost(1.1);
        $rows[] = new Row("$clients[$client], a Pool of 25, wall / ideal", array_map(static fn(float $wall): float => $wall / $ideal, $walls), '%.3f', $target);
    }
    foreach ($clients as $client => $what) {
        $rows[] = new Row("$what, 1 KB, CPU µs", $cpu[$client], '%.1f');
    }
    return $rows;
};
