--TEST--
A call whose last reference goes is cancelled
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(verify: server('ca'), maxAttempts: 1);
foreach (['http', 'h2'] as $on) {
    $pending = $client->start(new Request('GET', script('a', [['action' => 'stall']], $on)));
    $other = $pending;
    assert_same(null, $pending->wait(0.15));
    $pending = null;
    assert_same(null, $other->wait(0.15), "$on: another reference holds it");
    assert_same(null, received('a', 1)[0]['left_ns'], "$on: it is still there");
    $begin = hrtime(true);
    unset($other);
    assert_between(0.0, 0.3, ((abandoned('a', 1)[0]['left_ns'] ?? 0) - $begin) / 1e9, "$on: seconds to the end");

    // Returned to nobody.
    $client->start(new Request('GET', $url = script('b', [['body' => 'x', 'delay_ms' => 100]], $on)));
    assert_same('x', $client->get($url)->body, "$on: the client goes on");
}

// The client's own end is not the call's.
$pending = (new RetryClient())->start(new Request('GET', script('c', [['body' => 'there', 'delay_ms' => 100]])));
gc_collect_cycles();
assert_same('there', $pending->wait()->body, 'without its client');

// A cycle is collected.
$holder = new class {
    public mixed $pending;

    public function __toString(): string
    {
        return 'body';
    }
};
$holder->pending = (new RetryClient())->start(new Request('POST', script('d', [['action' => 'stall']]), body: $holder));
assert_same(null, $holder->pending->wait(0.15));
unset($holder);
gc_collect_cycles();
abandoned('d', 1);

// With callbacks, which could still come upon it, not before its end.
$called = 0;
$holder = new stdClass();
$holder->pending = (new RetryClient(onOutcome: static function () use ($holder, &$called) {
    $called++;
    gc_collect_cycles();
}))->start(new Request('GET', script('e', [['body' => 'x', 'delay_ms' => 100]])));
$watched = WeakReference::create($holder);
unset($holder);
gc_collect_cycles();
assert_true($watched->get() !== null, 'in flight');
(new RetryClient())->get(server('http') . '/delay/300');
gc_collect_cycles();
assert_same([1, null], [$called, $watched->get()], 'after its end');

// What is still under way when the script ends must not be waited for, nor complained of.
$last = $client->start(new Request('GET', server('http') . '/stall'));
done();
?>
--EXPECT--
done
