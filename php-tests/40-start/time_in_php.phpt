--TEST--
Time in PHP code counts against no timeout, only against the budget
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{BudgetExceededException, NetworkException, Request};

$client = new RetryClient(maxAttempts: 1, timeout: 0.3);
foreach (['delay_ms' => 100, 'body_delay_ms' => 100] as $where => $delay) {
    $pending = $client->start(new Request('GET', script('a', [['body' => 'ok', $where => $delay]])));
    $pending->wait(0.05);
    usleep(600_000);
    assert_same('ok', $pending->wait()->body, $where);
}
$pending = $client->with(timeout: 60.0, idleTimeout: 0.3)->start(new Request('GET', script('b', [chunks(['a', 'b'], 100)])));
poll_until(static fn() => $pending->received() > 0, $pending);
usleep(600_000);
assert_same('ab', $pending->wait()->body, 'idleTimeout');
$pending = $client->with(timeout: 60.0, connectTimeout: 0.3)->start(new Request('GET', str_replace('127.0.0.1', 'localhost', script('c', [['body' => 'ok']]))));
usleep(600_000);
assert_same('ok', $pending->wait()->body, 'connectTimeout');

// The time that PHP waits does count.
$pending = $client->start(new Request('GET', server('http') . '/stall'));
assert_between(0.25, 0.6, seconds(static fn() => $pending->wait(), $thrown), 'timeout');
assert_same([NetworkException::class, 'timeout'], [get_debug_type($thrown), $thrown->kind ?? null]);

// A budget goes by the clock.
$pending = $client->with(budget: 0.4)->start(new Request('GET', script('d', [['body' => 'late', 'delay_ms' => 5000]])));
usleep(600_000);
assert_between(0.0, 0.2, seconds(static fn() => $pending->wait(), $thrown), 'budget');
assert_same(BudgetExceededException::class, get_debug_type($thrown));
assert_same(1, count($thrown->attempts), 'attempts');
done();
?>
--EXPECT--
done
