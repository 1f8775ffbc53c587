<?php

/**
 * What the extension costs a PHP that does not use it, and one that does: time to load, private memory, file size.
 */

declare(strict_types=1);

return static function (Setting $setting): array {
    $starts = $setting->size(100, 10);
    $load = interleaved('load', $setting->size(7, 2), [
        'pairs' => static fn(): array => start_times($setting, $starts),
    ])['pairs'];
    $with = array_column($load, 'with');
    $without = array_column($load, 'without');

    progress('load: private memory of FPM workers');
    $pages = $setting->size(200, 20);
    $never = private_memory($setting, false, 'nothing', $pages);
    $unused = private_memory($setting, true, 'nothing', $pages);
    $used = private_memory($setting, true, 'retry-client', $pages);

    return [
        new Row("loading, ms added to php -r ''", differences($with, $without), '%.2f', Target::atMost(1.0)),
        new Row('private memory of a worker that never uses it, MB added', [$unused - $never], '%.2f', Target::atMost(1.0)),
        new Row('private memory of a worker that uses it, MB added', [$used - $never], '%.2f', Target::atMost(4.0)),
        new Row('size of the stripped file, MB', [stripped_size($setting)], '%.1f', Target::atMost(8.0)),
        new Row("php -r '' without the extension, ms", $without, '%.2f'),
        new Row("php -r '' with the extension, ms", $with, '%.2f'),
        new Row('private memory of a worker without the extension, MB', [$never], '%.2f'),
    ];
};

/** @return array{with: float, without: float} medians of starts in turn, in milliseconds */
function start_times(Setting $setting, int $starts): array
{
    $times = ['with' => [], 'without' => []];
    for ($i = 0; $i < $starts; $i++) {
        foreach ($i % 2 ? ['with', 'without'] : ['without', 'with'] as $which) {
            $arguments = $which === 'with' ? ['-d', "extension=$setting->extension", '-d', "retry_client.shared_memory=$setting->shared"] : [];
            $begin = hrtime(true);
            run([PHP_BINARY, '-n', ...$arguments, '-r', '']);
            $times[$which][] = (hrtime(true) - $begin) / 1e6;
        }
    }
    return array_map(median(...), $times);
}

/**
 * Megabytes that belong to one worker alone, the median of four that have all served pages: with one worker only, code
 * that all workers share would count as its own.
 */
function private_memory(Setting $setting, bool $extension, string $client, int $pages): float
{
    $web = new Web($setting, 4, $extension);
    for ($i = 0; $i < $pages; $i++) {
        $web->get("page.php?client=$client");
    }
    $megabytes = array_map(
        static fn(int $pid): float => proc_kilobytes("/proc/$pid/smaps_rollup", 'Private_Clean|Private_Dirty') / 1024,
        $web->workers(),
    );
    $web->stop();
    return median($megabytes);
}

function stripped_size(Setting $setting): float
{
    $copy = "$setting->folder/stripped.so";
    run(['strip', '-o', $copy, $setting->extension]);
    return filesize($copy) / 1e6;
}
