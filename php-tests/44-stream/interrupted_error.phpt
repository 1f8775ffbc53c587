--TEST--
An iterator that an exception interrupted is over for good, and its connection closed
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';
require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
pcntl_signal(SIGUSR1, static fn() => throw new DomainException('stop'));
$client = new RetryClient(verify: server('ca'));
$step = ['action' => 'endless', 'body' => "data: x\n\n", 'drip' => ['bytes' => 9, 'every_ms' => 400]];
foreach (['http', 'h2'] as $on) {
    foreach (['getIterator', 'lines', 'events'] as $method) {
        $stream = $client->stream('GET', script('a', [$step], $on));
        $iterator = $stream->$method();
        assert_same([true, 0], [$iterator->valid(), $iterator->key()], "$on, $method: the first");
        $sent = signal_after(0.1, SIGUSR1);
        // What is here already comes first.
        assert_throws(DomainException::class, 'stop', static function () use ($iterator) {
            for ($i = 0; $i < 20; $i++) {
                $iterator->next();
            }
        });
        $now = hrtime(true);
        $sent();
        assert_between(-0.5, 1.0, ((abandoned('a', 1)[0]['left_ns'] ?? 0) - $now) / 1e9, "$on, $method: seconds until the server saw it");
        for ($i = 0; $i < 3; $i++) {
            assert_same([false, null, null], [$iterator->valid(), $iterator->current(), $iterator->key()], "$on, $method: over");
            $iterator->next();
        }
        assert_throws(Error::class, 'A StreamedResponse can be read only once', static fn() => $stream->$method());
        assert_true($stream->received() >= 9, "$on, $method: received");
    }
}

// In a loop.
$iterator = $client->stream('GET', script('b', [$step]))->events();
$got = [];
$sent = signal_after(0.1, SIGUSR1);
assert_throws(DomainException::class, 'stop', static function () use ($iterator, &$got) {
    foreach ($iterator as $event) {
        $got[] = $event->data;
    }
});
$sent();
assert_same(['x'], $got);
assert_same(false, $iterator->valid(), 'a further event');
assert_same('ok', $client->get(script('c', [['body' => 'ok']]))->body, 'the client goes on');
done();
?>
--EXPECT--
done
