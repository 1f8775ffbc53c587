--TEST--
Streams and their iterators in cycles are collected, and their connections closed
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

final class Holder
{
    public mixed $stream = null;
    public mixed $iterator = null;
    public function __toString(): string { return 'body'; }
}

$client = new RetryClient(verify: server('ca'));
$ways = [
    'a stream' => static function (Holder $holder, string $url) use ($client) { $holder->stream = $client->stream('POST', $url, body: $holder); },
    'an iterator' => static function (Holder $holder, string $url) use ($client) { $holder->iterator = $client->stream('POST', $url, body: $holder)->getIterator(); },
    'both' => static function (Holder $holder, string $url) use ($client) {
        $holder->stream = $client->stream('POST', $url, body: $holder);
        $holder->iterator = $holder->stream->lines();
    },
    'both, being read' => static function (Holder $holder, string $url) use ($client) {
        $holder->stream = $client->stream('POST', $url, body: $holder);
        $holder->iterator = $holder->stream->events();
        assert_same('x', $holder->iterator->current()->data, 'the first event');
        $holder->iterator->next();
    },
];
foreach (['http', 'h2'] as $on) {
    foreach ($ways as $what => $way) {
        $url = script('a', [['action' => 'endless', 'body' => "data: x\n\n", 'drip' => ['bytes' => 9, 'every_ms' => 30]]], $on);
        $holder = new Holder();
        $way($holder, $url);
        $watched = WeakReference::create($holder);
        unset($holder);
        assert_true($watched->get() !== null, "$on, $what: there until somebody collects");
        gc_collect_cycles();
        $now = hrtime(true);
        assert_same(null, $watched->get(), "$on, $what: collected");
        assert_between(-0.5, 1.0, ((abandoned('a', 1)[0]['left_ns'] ?? 0) - $now) / 1e9, "$on, $what: seconds until the server saw it");
    }
}

// Many leave nothing behind, read to the end or not.
$round = static function () use ($client): void {
    for ($i = 0; $i < 30; $i++) {
        $holder = new Holder();
        $holder->stream = $client->stream('POST', server('http') . '/sse/2?every=0', body: $holder);
        $holder->iterator = $holder->stream->events();
        if ($i % 2 === 0) {
            assert_same(2, iterator_count($holder->iterator), 'events');
        }
    }
    gc_collect_cycles();
};
$descriptors = static fn(): int => count(scandir('/proc/self/fd'));
$round();
$round();
$before = [memory_get_usage(), $descriptors()];
$round();
$round();
assert_between(0, 4_000, max(0, memory_get_usage() - $before[0]), "bytes of PHP's memory");
assert_between(0, 3, max(0, $descriptors() - $before[1]), 'descriptors');
done();
?>
--EXPECT--
done
