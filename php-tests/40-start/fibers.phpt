--TEST--
A hook that suspends its fiber holds up its own call only; a fiber that is destroyed in a hook ends it
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$log = [];
$note = static function (string $name) use (&$log) { return static function () use ($name, &$log) { $log[] = $name; }; };
$suspending = new RetryClient(onOutcome: static function () { Fiber::suspend('in the hook'); });
$noted = new RetryClient(onOutcome: $note('noted'));
$pending = $suspending->start(apart(script('a', [['body' => 'suspended']])));
$fiber = new Fiber(static fn() => $pending->wait()->body);
assert_same('in the hook', $fiber->start());

// It cannot be waited for: whoever could end it is not running.
$seconds = seconds(static fn() => [$pending->wait(0.0), $pending->wait(60.0), $pending->done()], $outcome);
assert_same([null, null, false], $outcome, 'in the main flow');
assert_between(0.0, 2.0, $seconds, 'seconds');
assert_throws(Error::class, 'A request cannot be waited for in its own callback', static fn() => $pending->wait());

// The hooks of others run.
$url = script('b', [['body' => 'other', 'delay_ms' => 50]]);
$started = $noted->start(apart($url));
assert_same(['other', ['noted']], [$started->wait()->body, $log], 'a started call');
assert_same(['other', 2], [$noted->sendRequest(apart($url))->body, count($log)], 'a call that is sent');
foreach ($noted->sendAll([apart($url), apart($url)]) as $response) {
    assert_same('other', $response->body);
}
assert_same(array_fill(0, 4, 'noted'), $log, 'a batch');
assert_same('other', implode('', iterator_to_array($noted->stream('GET', $url))), 'a stream');
assert_same(5, count($log), 'a stream');
$inFiber = new Fiber(static fn() => $noted->sendRequest(apart($url))->body);
$inFiber->start();
assert_same(['other', 6], [$inFiber->getReturn(), count($log)], 'in another fiber');

$fiber->resume();
assert_same('suspended', $fiber->getReturn());
assert_same('suspended', $pending->wait()->body, 'in the main flow, when the hook has returned');

// Destroyed in the hook.
$left = false;
$pending = (new RetryClient(onOutcome: static function () use (&$left) {
    try {
        Fiber::suspend();
    } finally {
        $left = true;
    }
}))->start(apart(script('c', [[]])));
$fiber = new Fiber(static fn() => $pending->wait());
$fiber->start();
assert_same([false, false], [$left, $pending->done()]);
unset($fiber);
gc_collect_cycles();
assert_same([true, true], [$left, $pending->done()], 'the hook was left, the call has ended');
foreach ([null, 0.0, 60.0] as $timeout) {
    assert_throws(Error::class, 'The request was cancelled', static fn() => $pending->wait($timeout));
}
$log = [];
assert_same(['other', ['noted']], [$noted->sendRequest(apart($url))->body, $log], 'hooks of others afterwards');
assert_same(1, count(received('c')), 'it was not sent again');
done();
?>
--EXPECT--
done
