<?php

/**
 * What `sendAll` reaches against a server that limits and counts, next to Guzzle's Pool with its retry middleware.
 *
 * Each batch is one process with a new folder of shared state. All run at the same time, for they sleep most of it.
 */

declare(strict_types=1);

return static function (Setting $setting, array $filters): Generator {
    $scenarios = chosen(Scenarios::at_once($setting->quick), $filters);
    $runs = [];
    foreach ($scenarios as $scenario) {
        array_push($runs, new OneProcessRun($setting, $scenario, 'retry-client'), new OneProcessRun($setting, $scenario, 'guzzle'));
    }
    $results = in_order('quota', $runs);
    foreach ($scenarios as $scenario) {
        $ours = $results->current();
        $results->next();
        yield new PoolOutcome($scenario, $ours, $results->current());
        $results->next();
    }
};
