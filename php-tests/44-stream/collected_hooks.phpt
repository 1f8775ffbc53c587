--TEST--
Streams whose client has hooks are collected too: behind the first byte none runs any more
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
}

$calls = [];
foreach (['stream' => false, 'stream and iterator' => true] as $what => $reads) {
    $holder = new Holder();
    $hook = static function (string $name) use ($holder, &$calls) {
        return static function () use ($holder, $name, &$calls) { $calls[] = $name; return null; };
    };
    $client = new RetryClient(onAttempt: $hook('attempt'), onOutcome: $hook('outcome'), onRetry: $hook('retry'));
    $holder->stream = $client->stream('GET', script('a', [['action' => 'endless', 'body' => "data: x\n\n", 'drip' => ['bytes' => 9, 'every_ms' => 30]]]));
    assert_same(['attempt', 'outcome'], $calls, "$what: hooks before the first byte is handed out");
    if ($reads) {
        $holder->iterator = $holder->stream->events();
        $holder->iterator->next();
    }
    $watched = WeakReference::create($holder);
    unset($holder, $client, $hook);
    gc_collect_cycles();
    assert_same(null, $watched->get(), "$what: collected");
    abandoned('a', 1);
    assert_same(['attempt', 'outcome'], $calls, "$what: hooks");
    $calls = [];

    // Or at the end of one that comes to its end by itself.
    $holder = new Holder();
    $client = new RetryClient(onRetry: static function () use ($holder) {});
    $holder->stream = $client->stream('GET', script('b', [chunks(['1', '2'], 100)]));
    if ($reads) {
        $holder->iterator = $holder->stream->getIterator();
    }
    $watched = WeakReference::create($holder);
    unset($holder, $client);
    gc_collect_cycles();
    (new RetryClient())->get(server('http') . '/delay/300');
    gc_collect_cycles();
    assert_same(null, $watched->get(), "$what: collected after its end");
}
done();
?>
--EXPECT--
done
