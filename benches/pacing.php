<?php

/**
 * What pacing reaches with real processes against a server that counts, next to the hand-written loop of `make demo`.
 *
 * Each batch is done by new processes that share a new folder. Several batches run at the same time, for their processes
 * sleep most of it.
 */

declare(strict_types=1);

return static function (Setting $setting, array $filters): Generator {
    $scenarios = chosen(Scenarios::all($setting->quick), $filters);
    $runs = [];
    foreach ($scenarios as $scenario) {
        array_push($runs, new WorkersRun($setting, $scenario, 'retry-client'), new WorkersRun($setting, $scenario, 'hand-written-loop'));
    }
    printf("\npacing: %d rows, about %.0f min\n", count($scenarios), ceil(expected_seconds($scenarios) / 60));

    $results = in_order('pacing', $runs);
    foreach ($scenarios as $scenario) {
        $ours = $results->current();
        $results->next();
        yield new Outcome($scenario, $ours, $results->current());
        $results->next();
    }
};
