--TEST--
onProgress: the numbers after each result, and about once a second while it waits
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Progress, Request};

$client = new RetryClient(jitter: 0.0);
$seen = [];
$onProgress = static function (...$arguments) use (&$seen) {
    assert_same([1, Progress::class], [count($arguments), get_debug_type($arguments[0] ?? null)], 'arguments');
    $seen[] = $arguments[0];
    return 'ignored';
};
$requests = ['limited' => apart(script('limited', [['status' => 429, 'headers' => [['Retry-After', '2']]], []]))];
for ($i = 0; $i < 9; $i++) {
    $requests[$i] = apart(server('http') . '/delay/50');
}
$begin = microtime(true);
assert_same(10, count(iterator_to_array($client->sendAll($requests, 3, $onProgress))));
$done = array_map(static fn(Progress $now) => $now->done, $seen);
$sorted = $done;
sort($sorted);
assert_same($sorted, $done, 'done never goes back');
assert_same(range(1, 10), array_values(array_unique(array_filter($done))), 'done: each result');
foreach ($seen as $now) {
    assert_same(10, $now->total, 'total');
    assert_true($now->rate >= 0.0 && is_finite($now->rate), 'rate');
    assert_true($now->eta === null || ($now->eta >= 0.0 && is_finite($now->eta)), 'eta');
}
$last = $seen[count($seen) - 1];
assert_same([10, 1, null], [$last->done, $last->limited, $last->waitingUntil], 'at the end');
assert_between(0.1, 100.0, $last->rate, 'results a second');
// While only the one that was told to wait is left.
$waiting = array_filter($seen, static fn(Progress $now) => $now->done === 9 && $now->waitingUntil !== null);
assert_true($waiting !== [], 'while it waits it says so');
foreach ($waiting as $now) {
    assert_between($begin + 1.9, $begin + 2.6, $now->waitingUntil, 'Unix time until which it waits');
    assert_same(1, $now->limited, '429s');
}
assert_between(2, 4, count(array_filter($done, static fn(int $count) => $count === 9)), 'about once a second');

// One that takes long: nothing is done yet.
$seen = [];
iterator_to_array($client->sendAll([new Request('GET', server('http') . '/delay/2400')], onProgress: $onProgress));
assert_between(1, 4, count(array_filter($seen, static fn(Progress $now) => $now->done === 0)), 'about once a second');
assert_same([1, 1, 0, null], [$seen[count($seen) - 1]->done, $seen[count($seen) - 1]->total, $seen[count($seen) - 1]->limited, $seen[count($seen) - 1]->waitingUntil]);
done();
?>
--EXPECT--
done
