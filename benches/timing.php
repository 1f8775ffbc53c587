<?php

/**
 * How late a retry is sent, next to a plain absolute sleep of the same length, and what a long wait costs.
 *
 * Two clocks judge: the server's, from one arrival to the next, which takes nothing on trust but includes the answer's
 * way to the client and the request's way back; and the client's own account of its attempts.
 */

declare(strict_types=1);

return static function (Setting $setting): array {
    $sleeper = sleeper($setting);
    $count = $setting->size(50, 10);
    $results = interleaved('timing', $setting->size(8, 2), [
        'retry' => static fn(): array => retry_lateness($setting, waits($count)),
        'sleep' => static fn(): array => sleep_lateness($sleeper, waits($count)),
    ]);
    $all = static fn(array $rounds): array => array_merge(...$rounds);
    $sleep = $all($results['sleep']);
    $arrived = $all(array_column($results['retry'], 'server'));
    $sent = $all(array_column($results['retry'], 'client'));
    [$cpu, $wall] = long_wait($setting, $setting->size(30, 2));

    $row = static fn(string $what, float $value, ?Target $target = null): Row => new Row($what, [$value], '%.2f', $target);
    return [
        $row("median, server's clock, ms later than a plain sleep", median($arrived) - median($sleep), Target::atMost(0.3)),
        $row("99th percentile, server's clock, ms later than a plain sleep", percentile($arrived, 0.99) - percentile($sleep, 0.99), Target::atMost(2.0)),
        $row("earliest, server's clock, ms after the due time", min($arrived), Target::atLeast(0)),
        $row(sprintf('CPU of a wait of %.0f s, ms', $wall), $cpu * 1000, Target::atMost(10)),
        $row('plain sleep, median, ms late', median($sleep)),
        $row('plain sleep, 99th percentile, ms late', percentile($sleep, 0.99)),
        $row("retry, server's clock, median, ms late", median($arrived)),
        $row("retry, server's clock, 99th percentile, ms late", percentile($arrived, 0.99)),
        $row("retry, client's account, median, ms late", median($sent)),
        $row("retry, client's account, 99th percentile, ms late", percentile($sent, 0.99)),
    ];
};

/** @return list<int> milliseconds */
function waits(int $count): array
{
    return array_map(static fn() => random_int(20, 60), range(1, $count));
}

/**
 * @param list<int> $waits
 * @return array{server: list<float>, client: list<float>} milliseconds late
 */
function retry_lateness(Setting $setting, array $waits): array
{
    $steps = [];
    foreach ($waits as $wait) {
        array_push($steps, ['status' => 429, 'headers' => [['retry-after-ms', $wait]]], ['body' => 'ok']);
    }
    $server = $setting->server;
    $server->control('POST', '/_script/timing', $steps);
    $calls = $setting->php('retries.php', [$server->of('http') . '/timing', (string) count($waits)]);
    $arrivals = array_column($server->control('GET', '/_log/timing'), 'monotonic_ns');

    $late = ['server' => [], 'client' => []];
    foreach ($waits as $i => $wait) {
        [$first, $second] = $calls[$i];
        $late['server'][] = ($arrivals[2 * $i + 1] - $arrivals[2 * $i]) / 1e6 - $wait;
        $late['client'][] = ($second['startedAt'] - $first['startedAt'] - $first['duration']) * 1000 - $wait;
    }
    return $late;
}

/**
 * @param list<int> $waits
 * @return list<float> milliseconds late
 */
function sleep_lateness(string $sleeper, array $waits): array
{
    $lines = explode("\n", trim(run([$sleeper, ...array_map(strval(...), $waits)])));
    return array_map(static fn(string $ns): float => (int) $ns / 1e6, $lines);
}

function sleeper(Setting $setting): string
{
    run(['cc', '-O2', '-o', "$setting->folder/sleep", 'benches/cli/sleep.c']);
    return "$setting->folder/sleep";
}

/** @return array{float, float} CPU and wall time, in seconds */
function long_wait(Setting $setting, int $seconds): array
{
    progress("timing: a wait of $seconds s");
    $server = $setting->server;
    $server->control('POST', '/_script/long', [['status' => 429, 'headers' => [['Retry-After', $seconds]]], ['body' => 'ok']]);
    $result = $setting->php('wait.php', [$server->of('http') . '/bytes/1024', $server->of('http') . '/long']);
    return [$result['cpu'], $result['wall']];
}
