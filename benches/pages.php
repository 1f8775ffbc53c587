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
        pages_per_second($wrk, $web->url("page.php?client=$client"), 1);     // warm-up
        $measurements[$client] = static fn(): float => pages_per_second($wrk, $web->url("page.php?client=$client"), $seconds);
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

function pages_per_second(string $wrk, string $url, int $seconds): float
{
    $output = run([$wrk, '-t1', '-c' . CONNECTIONS, "-d{$seconds}s", $url]);
    if (str_contains($output, 'Non-2xx') || str_contains($output, 'Socket errors') || !preg_match('/Requests\/sec:\s+([\d.]+)/', $output, $m)) {
        throw new RuntimeException("wrk: pages failed\n$output");
    }
    return (float) $m[1];
}

function load_generator(): string
{
    $find = static fn(): string => trim((string) shell_exec('command -v wrk'));
    if ($find() === '' && posix_getuid() === 0 && is_executable('/usr/bin/apt-get')) {
        fwrite(STDERR, "\nwrk, the load generator, is missing: apt-get install wrk\n");
        passthru('DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends wrk >&2 </dev/null');
    }
    return $find() ?: throw new Unavailable('wrk, the load generator, is missing: apt-get install wrk');
}
