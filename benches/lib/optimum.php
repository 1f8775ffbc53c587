<?php

/**
 * The least time that a batch can take under a limit: docs/benchmarks.md, and crates/simulator has the same in Rust.
 */

declare(strict_types=1);

/**
 * When a token bucket, full at the start, has let `$total` through.
 *
 * @param list<array{float, float}> $steps from when on it refills how fast
 */
function bucket_optimum(array $steps, float $burst, float $total): float
{
    $left = $total - $burst;
    foreach ($steps as $i => [$from, $rate]) {
        $refilled = $rate * (($steps[$i + 1][0] ?? INF) - $from);
        if ($left <= $refilled) {
            return $left <= 0 ? 0.0 : $from + $left / $rate;
        }
        $left -= $refilled;
    }
    return INF;
}

/**
 * When fixed windows have let `$jobs` through.
 *
 * @param list<array{float, float}> $steps from when on a window takes how many
 */
function window_optimum(array $steps, float $period, float $first_end, int $jobs, int $workers, float $latency): float
{
    for ([$begin, $end, $left] = [0.0, $first_end, $jobs]; ; [$begin, $end] = [$end, $end + $period]) {
        $count = 0.0;
        foreach ($steps as [$from, $of_window]) {
            $count = $from <= $begin + 1e-6 ? $of_window : $count;
        }
        $taken = min($count, floor(($end - $begin) * $workers / $latency));
        if ($taken >= $left) {
            return $begin + work($left, $workers, $latency);
        }
        $left -= $taken;
    }
}

/** When at most `$count` in any `$period` have let `$jobs` through. */
function sliding_optimum(float $count, float $period, int $jobs, int $workers, float $latency): float
{
    $full = ceil($jobs / $count) - 1;
    return max(work($jobs, $workers, $latency), $full * $period + work($jobs - $full * $count, $workers, $latency));
}

/** What so many workers need for the answers alone. */
function work(float $jobs, int $workers, float $latency): float
{
    return ceil($jobs / $workers) * $latency;
}
