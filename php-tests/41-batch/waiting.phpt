--TEST--
sendAll(): one that waits holds no slot
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(jitter: 0.0, baseDelay: 0.6);
$cases = [
    'Retry-After' => [['status' => 429, 'headers' => [['Retry-After', '1']]], 1.0],
    'backoff' => [['status' => 503], 0.6],
];
foreach ($cases as $what => [$step, $wait]) {
    $ok = counting('ok', 50);
    $requests = ['first' => apart(script('first', [$step, ['body' => 'late']]))];
    for ($i = 0; $i < 5; $i++) {
        $requests[$i] = apart($ok);
    }
    $got = [];
    $begin = hrtime(true);
    foreach ($client->sendAll($requests, concurrency: 1) as $key => $response) {
        $got[$key] = (hrtime(true) - $begin) / 1e9;
        assert_same(200, $response->status, "$what: $key");
    }
    assert_same([0, 1, 2, 3, 4, 'first'], array_keys($got), "$what: order");
    assert_between(0.25, $wait - 0.05, $got[4] ?? 0.0, "$what: the others meanwhile");
    assert_between($wait, $wait + 0.5, $got['first'], "$what: the first");
    assert_same(1, counted('ok')['max_in_flight'], "$what: at once");
    assert_between($wait, $wait + 0.3, gaps(received('first', 2))[0], "$what: gap");
}

// Held back by a limit: those under another key pass.
$requests = [];
for ($i = 0; $i < 3; $i++) {
    $requests["limited $i"] = new Request('GET', script("l$i", [['delay_ms' => 100]]), limitKey: 'slow');
}
$requests['free'] = new Request('GET', script('free', [[]]), limitKey: 'free');
$got = array_keys(iterator_to_array($client->with(limit: '2/s')->sendAll($requests, concurrency: 2)));
assert_same(['free', 'limited 0'], array_slice($got, 0, 2), 'a limit');
assert_same(4, count($got), 'results');

// A retry is in flight like any other: never more than concurrency, here 2, though 4 wait at times.
$limiter = script_name('again');
control('DELETE', "/_limited/$limiter");
$url = server('http') . "/limited/$limiter?kind=concurrency&limit=1&status=503&delay=60";
$requests = array_map(static fn() => apart($url), range(1, 6));
$results = iterator_to_array($client->with(baseDelay: 0.05, jitter: 0.2, maxAttempts: 100)->sendAll($requests, concurrency: 2));
assert_same(array_fill(0, 6, 200), array_map(static fn($response) => $response->status, array_values($results)), 'results');
$most = 0;
foreach (control('GET', "/_limited/$limiter")['log'] as $entry) {
    $begun[] = $entry['monotonic_ns'];
    // Each takes 60 ms, refused or not.
    $most = max($most, count(array_filter($begun, static fn(int $at) => $at > $entry['monotonic_ns'] - 50_000_000)));
}
assert_between(1, 2, $most, 'at once');
done();
?>
--EXPECT--
done
