<?php

/** Plain PHP, without the extension: sleeps, fails, shows ini values, as the plan says. */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$plan = plan();
$end = hrtime(true) + (int) (($plan['sleep'] ?? 0) * 1e9);
while (hrtime(true) < $end) {
    usleep(10_000);
}
if ($plan['fail'] ?? false) {
    str_repeat('x', PHP_INT_MAX >> 1);
}
answer(['ini' => array_map(ini_get(...), $plan['ini'] ?? [])]);
