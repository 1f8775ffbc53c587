--TEST--
Signals are handled while a stream's iterator waits
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
$client = new RetryClient();
$ran = null;
pcntl_signal(SIGUSR1, static function () use (&$ran) { $ran = hrtime(true); });
$url = script('a', [chunks(['one', 'two'], 700)]);
foreach (['getIterator', 'lines', 'events'] as $method) {
    $ran = null;
    $sent = signal_after(0.3, SIGUSR1);
    $stream = $client->stream('GET', $url);
    iterator_to_array($stream->$method());
    assert_between(0.0, 0.1, ($ran - $sent()) / 1e9, "$method: seconds to the handler");
    assert_same(6, $stream->received(), "$method: it goes on");
}
// Before the first byte.
$ran = null;
$sent = signal_after(0.2, SIGUSR1);
assert_same('late', implode('', iterator_to_array($client->stream('GET', script('b', [['body' => 'late', 'body_delay_ms' => 600]])))));
assert_between(0.0, 0.1, ($ran - $sent()) / 1e9, 'before the first byte');
// What it throws comes out of the loop.
pcntl_signal(SIGUSR1, static fn() => throw new DomainException('stop'));
$sent = signal_after(0.3, SIGUSR1);
$got = [];
$thrown = thrown_by(static function () use ($client, &$got) {
    foreach ($client->stream('GET', script('c', [['body' => 'first', 'content_length' => 100, 'end' => 'stall']])) as $chunk) {
        $got[] = $chunk;
    }
}, DomainException::class);
$now = hrtime(true);
assert_same([['first'], 'stop'], [$got, $thrown?->getMessage()]);
assert_between(0.0, 0.15, ($now - $sent()) / 1e9, 'seconds to the end');
abandoned('c', 1);
done();
?>
--EXPECT--
done
