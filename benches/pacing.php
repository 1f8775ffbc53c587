<?php

/**
 * What pacing reaches with real processes against a server that counts, next to the hand-written loop of `make demo`.
 *
 * Each batch is done by new processes that share a new folder. Several batches run at the same time, for their processes
 * sleep most of it.
 */

declare(strict_types=1);

const AT_ONCE = 8;      // batches; together they take a quarter of a processor

return static function (Setting $setting, array $filters): Generator {
    $scenarios = chosen(Scenarios::all($setting->quick), $filters);
    $runs = [];
    foreach ($scenarios as $scenario) {
        array_push($runs, new Run($setting, $scenario, 'retry-client'), new Run($setting, $scenario, 'hand-written-loop'));
    }
    printf("\npacing: %d rows, about %.0f min\n", count($scenarios), ceil(expected_seconds($scenarios) / 60));

    $results = in_order($runs);
    foreach ($scenarios as $scenario) {
        $ours = $results->current();
        $results->next();
        yield new Outcome($scenario, $ours, $results->current());
        $results->next();
    }
};

/**
 * @param list<Scenario> $scenarios
 * @param list<string> $filters parts of names or groups
 * @return list<Scenario> those that a filter fits
 */
function chosen(array $scenarios, array $filters): array
{
    $fits = static fn(Scenario $scenario, string $filter): bool => str_contains("$scenario->group $scenario->name", $filter);
    foreach ($filters as $filter) {
        if (!array_filter($scenarios, static fn(Scenario $scenario): bool => $fits($scenario, $filter))) {
            throw new Unavailable("no row has '$filter' in its name:\n    " . implode("\n    ", array_column($scenarios, 'name')));
        }
    }
    $any = static fn(Scenario $scenario): bool => (bool) array_filter($filters, static fn(string $filter): bool => $fits($scenario, $filter));
    return $filters ? array_values(array_filter($scenarios, $any)) : $scenarios;
}

/** Each row is two batches. Most take about the optimum, and some seconds to begin and to count. */
function expected_seconds(array $scenarios): float
{
    $seconds = array_map(static fn(Scenario $scenario): float => 2 * ($scenario->optimum() + 2), $scenarios);
    return max(array_sum($seconds) / AT_ONCE, max($seconds) / 2);
}

/**
 * @param list<Run> $runs
 * @return Generator<int, Result> their results, in this order
 */
function in_order(array $runs): Generator
{
    [$waiting, $under_way, $results] = [$runs, [], []];
    foreach (array_keys($runs) as $number) {
        while (!isset($results[$number])) {
            while ($waiting && count($under_way) < AT_ONCE) {
                $key = array_key_first($waiting);
                $under_way[$key] = $waiting[$key];
                unset($waiting[$key]);
                $under_way[$key]->start();
            }
            progress(sprintf('pacing: %d of %d batches done', count($results), count($runs)));
            foreach (ended($under_way) as $key) {
                $results[$key] = $under_way[$key]->result();
                unset($under_way[$key]);
            }
        }
        end_progress();
        yield $results[$number];
    }
}

/**
 * Waits until one has something to say, which is its result.
 *
 * @param array<int, Run> $runs
 * @return list<int> which
 */
function ended(array $runs): array
{
    $outputs = array_map(static fn(Run $run) => $run->output(), $runs);
    $none = null;
    return @stream_select($outputs, $none, $none, 600) ? array_keys($outputs) : [];
}
