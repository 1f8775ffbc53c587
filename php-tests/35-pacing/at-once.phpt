--TEST--
limit '2 at once': never more under way, whoever sends them, and a process that is killed frees its place
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$name = script_name('a');
$url = server('http') . "/limited/$name?kind=concurrency&limit=2&delay=200";
$client = new RetryClient(limit: '2 at once', maxAttempts: 1);
$seconds = seconds(static function () use ($client, $url, &$outcomes) {
    $outcomes = together(5, static fn() => outcome(static fn() => $client->get($url)));
});
assert_same([200, 200, 200, 200, 200], array_column($outcomes, 'status'));
$seen = control('GET', "/_limited/$name?log=0");
assert_same([5, 0, 2], [$seen['accepted'], $seen['refused'], $seen['max_in_flight']], 'accepted, refused, at once');
assert_between(0.6, 1.2, $seconds, 'three rounds of 0.2 s');

// The places of two that are killed are free at once.
$stall = script('stall', [['action' => 'stall', 'times' => 2], []]);
$killed = [child(static fn() => $client->get($stall)), child(static fn() => $client->get($stall))];
received('stall', 2);
assert_throws_budget($client, $stall);
array_map(static fn($child) => posix_kill($child, SIGKILL), $killed);
array_map(joined(...), $killed);
assert_between(0.0, 0.5, seconds(static fn() => $client->get($stall)), 'after they were killed');

/** While both places are taken, nobody knows how long a call must wait: it waits until its budget. */
function assert_throws_budget(RetryClient $client, string $url): void
{
    $seconds = seconds(static fn() => $client->with(budget: 0.3)->get($url), $thrown);
    assert_same('RetryClient\BudgetExceededException', get_debug_type($thrown), 'no place');
    assert_between(0.0, 0.5, $seconds, 'no place');
    assert_same([], $thrown->attempts ?? null, 'nothing was sent');
}
done();
?>
--EXPECT--
done
