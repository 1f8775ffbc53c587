--TEST--
Time in the loop's body counts against no timeout, only against a budget
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{BudgetExceededException, Request};

$url = static fn(string $name, array $step) => new Request('GET', script($name, [$step]));
foreach (['timeout' => 0.5, 'idleTimeout' => 0.5] as $option => $seconds) {
    $requests = [
        'first' => $url('a', ['body' => 'a']), 'before the head' => $url('b', ['body' => 'b', 'delay_ms' => 250]),
        'in the body' => $url('c', ['body' => 'c', 'body_delay_ms' => 250]), 'later' => $url('d', ['body' => 'd', 'delay_ms' => 50]),
    ];
    $got = [];
    foreach ((new RetryClient(...[$option => $seconds], maxAttempts: 1))->sendAll($requests, 3) as $key => $result) {
        $got[$key] = $result instanceof Exception ? $result->getMessage() : $result->body;
        if ($key === 'first') {
            usleep(1_000_000);
        }
    }
    ksort($got);
    assert_same(['before the head' => 'b', 'first' => 'a', 'in the body' => 'c', 'later' => 'd'], $got, $option);
}

// What the iterator waits does count.
$begin = hrtime(true);
$results = iterator_to_array((new RetryClient(timeout: 0.5, maxAttempts: 1))->sendAll([new Request('GET', server('http') . '/stall')]));
assert_between(0.5, 0.9, (hrtime(true) - $begin) / 1e9, 'a stalled one');
assert_same('timeout', $results[0]->kind ?? null);

// A wait between attempts goes on meanwhile: it is due when the body is through.
$got = [];
foreach ((new RetryClient(baseDelay: 0.5, jitter: 0.0))->sendAll(['retried' => apart(script('e', [['status' => 503], ['body' => 'e']])), 'quick' => $url('f', ['body' => 'f', 'delay_ms' => 100])], 2) as $key => $result) {
    $got[] = $key;
    $key === 'quick' && usleep(700_000);
}
assert_same(['quick', 'retried'], $got);
assert_between(0.6, 1.3, gaps(received('e', 2))[0], 'sent when PHP waits again');

// A budget goes by the clock.
$got = [];
$begin = hrtime(true);
foreach ((new RetryClient(budget: 0.6, maxAttempts: 1))->sendAll(['quick' => $url('g', ['body' => 'g']), 'stalled' => new Request('GET', server('http') . '/stall')], 2) as $key => $result) {
    $got[$key] = get_debug_type($result);
    $key === 'quick' && usleep(1_000_000);
}
assert_between(1.0, 1.5, (hrtime(true) - $begin) / 1e9, 'the stalled one ends at once after the pause');
ksort($got);
assert_same(['quick' => 'RetryClient\Response', 'stalled' => BudgetExceededException::class], $got, 'budget');
done();
?>
--EXPECT--
done
