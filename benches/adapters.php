<?php

/** What the Composer library's adapters cost over the extension itself, and beside what else does their work. */

declare(strict_types=1);

return static function (Setting $setting): array {
    $clients = [
        'retry-client' => 'RetryClient',
        'psr18-nyholm' => 'PSR-18, nyholm/psr7',
        'psr7-nyholm' => 'RetryClient, a request of nyholm/psr7 made beside it',
        'psr18-guzzle' => 'PSR-18, guzzlehttp/psr7',
        'psr7-guzzle' => 'RetryClient, a request of guzzlehttp/psr7 made beside it',
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
    foreach ($clients as $client => $what) {
        $rows[] = new Row("$what, 1 KB, CPU µs", $cpu[$client], '%.1f');
    }
    return $rows;
};
