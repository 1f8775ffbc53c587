<?php

/**
 * 200,000 requests in one FPM worker, a tenth of them retried: does it grow?
 *
 * They fail with 500: a 429 would teach a limit.
 */

declare(strict_types=1);

return static function (Setting $setting): array {
    $server = $setting->server;
    $server->control('POST', '/_script/soak', [
        'steps' => [['status' => 500, 'headers' => [['retry-after-ms', 1]]], ['body_repeat' => ['x', 1024]]],
        'then' => 'cycle',
    ]);
    $before = $server->control('GET', '/_stats')['listeners']['https']['accepted'];
    $web = new Web($setting, 1);
    $pages = $setting->size(2000, 40);
    $retried = 0;
    $samples = [];
    for ($page = 1; $page <= $pages; $page++) {
        [$more, $pid] = explode(' ', $web->get('soak.php'));
        $retried += (int) $more;
        if ($page % intdiv($pages, 20) === 0) {
            progress(sprintf('soak: %d of %d requests', $page * 100, $pages * 100));
            $server->control('DELETE', '/_log/soak');
            $samples[] = [
                'rss' => proc_kilobytes("/proc/$pid/status", 'VmRSS') / 1024,
                'descriptors' => descriptors((int) $pid),
                'pid' => $pid,
            ];
        }
    }
    $web->stop();
    if (count(array_unique(array_column($samples, 'pid'))) !== 1) {
        throw new RuntimeException('the worker did not live through it');
    }

    // The first tenth is warm-up.
    $samples = array_slice($samples, 1);
    $rss = array_column($samples, 'rss');
    $descriptors = array_column($samples, 'descriptors');
    $growth = static fn(array $values): float => max($values) - $values[0];
    return [
        new Row('resident memory, MB more than after a tenth', [$growth($rss)], '%.2f', Target::below(1.0)),
        new Row('open descriptors, more than after a tenth', [$growth($descriptors)], '%.0f', Target::atMost(0)),
        new Row('requests', [(float) $pages * 100], '%.0f'),
        new Row('of them retried', [(float) $retried], '%.0f'),
        new Row('connections made for them', [(float) $server->control('GET', '/_stats')['listeners']['https']['accepted'] - $before], '%.0f'),
        new Row('resident memory at the end, MB', [end($rss)], '%.1f'),
        new Row('open descriptors at the end', [end($descriptors)], '%.0f'),
    ];
};

/** The least of some looks: the connection to nginx may still be open when nginx has passed the page on. */
function descriptors(int $pid): float
{
    $least = PHP_INT_MAX;
    for ($look = 0; $look < 10; $look++) {
        $least = min($least, count(scandir("/proc/$pid/fd")) - 2);
        usleep(2000);
    }
    return (float) $least;
}
