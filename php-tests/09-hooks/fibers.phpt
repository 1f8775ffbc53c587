--TEST--
Hooks may suspend a Fiber; calls of several fibers do not disturb each other
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$seen = [];
/** A fiber that calls, and is suspended in each hook. */
$calling = static function (string $name) use (&$seen): Fiber {
    return new Fiber(static function () use ($name, &$seen) {
        $url = script($name, [['status' => 503], ['action' => 'echo']]);
        $suspend = static fn(string $hook) => static function () use ($name, $hook) { Fiber::suspend("$name $hook"); return null; };
        $client = new RetryClient(baseDelay: 0, jitter: 0, onAttempt: $suspend('attempt'), onOutcome: $suspend('outcome'), onRetry: $suspend('retry'));
        $seen[] = "$name: " . base64_decode($client->post($url, body: "body of $name")->json()['body_base64']);
    });
};
$fibers = [$calling('one'), $calling('two'), $calling('three')];
$order = [];
foreach ($fibers as $fiber) {
    $order[] = $fiber->start();
}
while ($fibers) {
    // The last one first, so that calls end in another order than they began.
    foreach (array_reverse($fibers, true) as $key => $fiber) {
        $order[] = $fiber->resume();
        if ($fiber->isTerminated()) {
            unset($fibers[$key]);
        }
    }
}
$steps = ['attempt', 'outcome', 'retry', 'attempt', 'outcome'];
foreach (['one', 'two', 'three'] as $name) {
    assert_same(array_map(static fn($step) => "$name $step", $steps), array_values(array_filter($order, static fn($step) => str_starts_with((string) $step, "$name "))));
}
assert_same(['three: body of three', 'two: body of two', 'one: body of one'], $seen);

// One that is never resumed, and one that is ended by an exception.
$fiber = $calling('four');
$fiber->start();
unset($fiber);
gc_collect_cycles();
$fiber = $calling('five');
$fiber->start();
assert_throws(LogicException::class, 'enough', static fn() => $fiber->throw(new LogicException('enough')));
assert_same(200, (new RetryClient())->get(script('six', [[]]))->status, 'what follows works');
done();
?>
--EXPECT--
done
