<?php

/**
 * One call that waits: prints how long it took and the CPU time that it cost, in seconds.
 *
 * usage: wait.php WARM_UP_URL URL
 */

declare(strict_types=1);

[, $warmUp, $url] = $argv;
$client = new RetryClient(jitter: 0.0);
$client->get($warmUp)->throw();

$before = getrusage();
$begin = hrtime(true);
$client->get($url)->throw();
$wall = (hrtime(true) - $begin) / 1e9;
$after = getrusage();

$cpu = 0.0;
foreach (['ru_utime', 'ru_stime'] as $kind) {
    $cpu += $after["$kind.tv_sec"] - $before["$kind.tv_sec"] + ($after["$kind.tv_usec"] - $before["$kind.tv_usec"]) / 1e6;
}
echo json_encode(['wall' => $wall, 'cpu' => $cpu]);
