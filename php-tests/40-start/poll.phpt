--TEST--
poll(): those that are done or moved on, in order, with their keys
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$client = new RetryClient();
$start = static fn(string $name, int $delay, string $body = 'x') => $client->start(new Request('GET', script($name, [['body' => $body, 'delay_ms' => $delay]])));

assert_same([], RetryClient::poll([]), 'nothing to wait for');
assert_between(0.0, 0.1, seconds(static fn() => RetryClient::poll([], 5.0)), 'nothing to wait for, with a timeout');
assert_between(0.0, 0.1, seconds(static fn() => RetryClient::poll(new EmptyIterator())), 'nothing to wait for, in an iterator');

// Keys and order are the iterable's, whatever ends first.
$all = ['late' => $start('late', 400), 7 => $start('soon', 100), 'never' => $client->start(new Request('GET', server('http') . '/stall')), -1 => $start('soon too', 100)];
$seen = [];
$until = hrtime(true) + 5_000_000_000;
while (count(array_filter($all, static fn($one) => $one->done())) < 3 && hrtime(true) < $until) {
    $changed = RetryClient::poll($all);
    assert_true($changed !== [], 'without a timeout it waits for a change');
    assert_same(array_values(array_intersect(array_keys($all), array_keys($changed))), array_keys($changed), 'the order');
    foreach ($changed as $key => $pending) {
        assert_true($pending === $all[$key], "the object of $key");
        $pending->done() && $seen[$key] ??= count($seen);
    }
}
assert_same(['late', 7, -1], array_values(array_intersect(array_keys($all), array_keys($seen))), 'those that ended');
assert_same(2, $seen['late'] ?? null, 'the last');
// A done one is returned every time, and the others are not waited for.
foreach ([null, 5.0, 0.0] as $timeout) {
    assert_between(0.0, 0.1, seconds(static fn() => RetryClient::poll($all, $timeout), $changed), 'at once');
    assert_same(['late', 7, -1], array_keys($changed), 'again');
}

// A timeout: at most so long, then nothing.
foreach ([0.2, 0.0] as $timeout) {
    assert_between($timeout, $timeout + 0.25, seconds(static fn() => RetryClient::poll([$all['never']], $timeout), $changed), "timeout $timeout");
    assert_same([], $changed, "timeout $timeout");
}
// 0.0 moves all on by a turn.
$pending = $start('turns', 50);
$turns = 0;
while (!$pending->done() && $turns++ < 500) {
    usleep(5_000);
    RetryClient::poll([$pending], 0.0);
}
assert_same([true, 'x'], [$pending->done(), $pending->wait()->body], 'turns alone bring it to its end');

// Headers, then bytes, are changes; each is told once.
$pending = $client->start(new Request('GET', script('steps', [chunks(['a', 'b'], 200, body_delay_ms: 200)])));
$changes = [];
for ($i = 0; $i < 20 && !$pending->done(); $i++) {
    RetryClient::poll(['k' => $pending]);
    $changes[] = [$pending->status(), $pending->received(), $pending->done()];
}
assert_same([200, 0, false], $changes[0] ?? null, 'the headers');
assert_same([200, 1, false], $changes[1] ?? null, 'the first byte');
assert_same([200, 2, true], $changes[count($changes) - 1] ?? null, 'the end');
assert_true(count($changes) <= 4, 'told once: ' . json_encode($changes));

// Pendings of any clients, in any iterable.
$generator = static function () use ($start) {
    yield 'real' => $start('of real', 0, 'real');
    yield 'fake' => (new FakeClient([new Response(body: 'fake')]))->start(new Request('GET', 'http://a.test/'));
    yield 'other' => (new RetryClient(limit: '100/s'))->start(new Request('GET', script('of other', [['body' => 'other']])));
};
$all = new ArrayIterator(iterator_to_array($generator()));
$until = hrtime(true) + 5_000_000_000;
do {
    $changed = RetryClient::poll($all);
} while (count(array_filter($changed, static fn($one) => $one->done())) < 3 && hrtime(true) < $until);
assert_same(['real' => 'real', 'fake' => 'fake', 'other' => 'other'], array_map(static fn($one) => $one->wait()->body, $changed), 'mixed');
// The same one twice is there twice, and a cancelled one is done.
$cancelled = $client->start(new Request('GET', server('http') . '/stall'));
$cancelled->cancel();
assert_same(['a', 'b'], array_keys(RetryClient::poll(['a' => $cancelled, 'b' => $cancelled])), 'a cancelled one, twice');
done();
?>
--EXPECT--
done
