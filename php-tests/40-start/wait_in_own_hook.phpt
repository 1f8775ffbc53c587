--TEST--
wait() for a call in its own hook: null with a timeout, an Error without, and the call goes on unharmed
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$own = 'A request cannot be waited for in its own callback';
$steps = [['status' => 503], ['body' => 'ok', 'delay_ms' => 50]];
$pending = null;
$inner = [];
$seconds = 0.0;
$look = static function (string $hook) use (&$pending, &$inner, &$seconds) {
    return static function () use ($hook, &$pending, &$inner, &$seconds) {
        $seconds += seconds(static function () use ($hook, &$pending, &$inner) {
            if ($pending === null) {
                return;    // the first attempt is begun by start()
            }
            try {
                $inner[] = [$hook, $pending->wait(0.0), $pending->wait(60.0), $pending->done()];
                $pending->wait();
                $inner[] = 'wait() has returned';
            } catch (Error $e) {
                $inner[] = [$hook, $e::class, $e->getMessage()];
            }
        });
        return null;
    };
};
$client = new RetryClient(baseDelay: 0.05, jitter: 0.0, onAttempt: $look('attempt'), onOutcome: $look('outcome'), onRetry: $look('retry'));
$pending = $client->start(apart(script('a', $steps)));
$response = $pending->wait();
assert_same(['ok', 2, true], [$response->body, count($response->attempts), $pending->done()], 'the call');
$each = static fn(string $hook): array => [[$hook, null, null, false], [$hook, 'Error', $own]];
$expected = [...$each('outcome'), ...$each('retry'), ...$each('attempt'), ...$each('outcome')];
assert_same($expected, array_slice($inner, -8), 'in the hooks');
assert_between(0.0, 1.0, $seconds, 'seconds in the hooks');
assert_same(2, count(received('a')), 'requests');

// Nor is its own hook waited for in that of another call which it waits for.
$log = [];
$first = $second = null;
$first = (new RetryClient(onOutcome: static function () use (&$second, &$log) { $log[] = ['first', $second->wait(60.0)?->body]; }))->start(apart(script('b', [['body' => 'first', 'delay_ms' => 50]])));
$second = (new RetryClient(onOutcome: static function () use (&$first, &$log) { $log[] = ['second', $first->wait(60.0)?->body]; }))->start(apart(script('c', [['body' => 'second', 'delay_ms' => 300]])));
$seconds = seconds(static fn() => [$first->wait()->body, $second->wait()->body], $bodies);
assert_same(['first', 'second'], $bodies);
assert_same([['second', null], ['first', 'second']], $log, 'the one within the other');
assert_between(0.2, 3.0, $seconds, 'seconds for both');

// poll() is not kept either, and others are still waited for.
$pending = null;
$polled = null;
$pending = (new RetryClient(onOutcome: static function () use (&$pending, &$polled) {
    $other = (new RetryClient())->start(apart(script('d', [['body' => 'other', 'delay_ms' => 100]])));
    $polled = [$pending->wait(0.05), $other->wait()->body, $pending->wait(60.0)];
}))->start(apart(script('e', [['body' => 'outer']])));
assert_same('outer', $pending->wait()->body);
assert_same([null, 'other', null], $polled, 'beside another call');

// An Error that is not caught ends the call, as what any hook throws.
$pending = null;
$pending = (new RetryClient(onOutcome: static function () use (&$pending) { $pending->wait(); }))->start(apart(script('f', [[]])));
assert_throws(Error::class, $own, static fn() => $pending->wait());
done();
?>
--EXPECT--
done
