--TEST--
What was in a cycle with a call that has hooks or a stream sink is collected after the call's end, though a collector found it in flight
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

final class Holder
{
    public mixed $kept = null;
    public function __toString(): string { return 'body'; }
}

$url = script('a', [['body' => 'x', 'delay_ms' => 100]]);
$ways = [
    'onOutcome holds' => static function (Holder $holder) use ($url) { $holder->kept = (new RetryClient(onOutcome: static function () use ($holder) {}))->start(apart($url)); },
    'onRetry holds, never called' => static function (Holder $holder) use ($url) { $holder->kept = (new RetryClient(onRetry: static function () use ($holder) {}))->start(apart($url)); },
    'the body holds, onOutcome' => static function (Holder $holder) use ($url) { $holder->kept = (new RetryClient(onOutcome: static fn() => null))->start(apart($url, 'POST', body: $holder)); },
    'the body holds, onAttempt' => static function (Holder $holder) use ($url) { $holder->kept = (new RetryClient(onAttempt: static fn() => null))->start(apart($url, 'POST', json: $holder)); },
    'the body holds, stream sink' => static function (Holder $holder) use ($url) { $holder->kept = (new RetryClient())->start(apart($url, 'POST', body: $holder, sink: fopen('php://memory', 'w+'))); },
    'a batch' => static function (Holder $holder) use ($url) {
        $holder->kept = (new RetryClient(onRetry: static function () use ($holder) {}))->sendAll([apart(server('http') . '/status/200'), apart($url)]);
        $holder->kept->rewind();
    },
];
$watched = [];
foreach ($ways as $what => $way) {
    $holder = new Holder();
    $way($holder);
    $watched[$what] = WeakReference::create($holder);
}
unset($holder);
gc_collect_cycles();
foreach ($watched as $what => $reference) {
    assert_true($reference->get() !== null, "$what: in flight");
}
(new RetryClient())->get(server('http') . '/delay/500');
gc_collect_cycles();
foreach ($watched as $what => $reference) {
    assert_true($reference->get() === null, "$what: still there after its end");
}
done();
?>
--EXPECT--
done
