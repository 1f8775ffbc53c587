<?php

/**
 * Pages per second of PHP-FPM behind nginx, one request over TLS in each page.
 *
 * Load generator, nginx, workers and upstream share the machine.
 */

declare(strict_types=1);

const CLIENTS = ['retry-client' => 'RetryClient', 'curl' => 'ext-curl', 'guzzle' => 'Guzzle', 'nothing' => 'nothing sent'];
const WORKERS = 4;
const CONNECTIONS = 4;

return static function (Setting $setting): array {
    $wrk = load_generator();
    $web = new Web($setting, WORKERS);
    $seconds = $setting->size(2, 1);
    $measurements = [];
    foreach (array_keys(CLIENTS) as $client) {
        if ($web->get("page.php?client=$client") !== '1024') {
            throw new RuntimeException("the page of $client does not get its 1024 bytes");
        }
        wrk_rate($wrk, $web->url("page.php?client=$client"), CONNECTIONS, 1);     // warm-up
        $measurements[$client] = static fn(): float => wrk_rate($wrk, $web->url("page.php?client=$client"), CONNECTIONS, $seconds);
    }
    $pages = interleaved('pages', $setting->size(15, 1), $measurements);
    $web->stop();

    $rows = [
        new Row('RetryClient / ext-curl', ratios($pages['retry-client'], $pages['curl']), '%.1f', Target::atLeast(8)),
        new Row('RetryClient / Guzzle', ratios($pages['retry-client'], $pages['guzzle']), '%.1f', Target::atLeast(8)),
        new Row('RetryClient / nothing sent', ratios($pages['retry-client'], $pages['nothing']), '%.2f', Target::atLeast(0.29)),
    ];
    foreach (CLIENTS as $client => $name) {
        $rows[] = new Row("$name, pages/s", $pages[$client], '%.0f');
    }
    return $rows;
};
