--TEST--
Signals are handled while the iterator waits
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';
require __DIR__ . '/../signals.php';

use RetryClient\Request;

pcntl_async_signals(true);
$client = new RetryClient();
$ran = [];
pcntl_signal(SIGALRM, static function () use (&$ran) { $ran[] = hrtime(true); });
$begin = hrtime(true);
pcntl_alarm(1);
$results = iterator_to_array($client->sendAll([new Request('GET', server('http') . '/delay/1500'), new Request('GET', server('http') . '/delay/1500')]));
assert_same([1, 200, 200], [count($ran), $results[0]->status, $results[1]->status]);
assert_between(0.9, 1.3, ($ran[0] - $begin) / 1e9, 'seconds to the handler');

// A handler may use the client.
$inner = null;
pcntl_signal(SIGUSR1, static function () use (&$inner, $client) { $inner = $client->get(server('http') . '/status/201')->status; });
$sent = signal_after(0.2, SIGUSR1);
assert_same(200, iterator_to_array($client->sendAll([new Request('GET', server('http') . '/delay/600')]))[0]->status);
$sent();
assert_same(201, $inner, 'a call in a handler');

// What it throws comes out of the iteration, in time, and what flies is dropped.
foreach (['a stalled one' => [['action' => 'stall']], 'a wait' => [['status' => 429, 'headers' => [['Retry-After', '20']]]]] as $what => $steps) {
    pcntl_signal(SIGUSR1, static fn() => throw new DomainException('stop'));
    $url = script('a', $steps);
    $sent = signal_after(0.3, SIGUSR1);
    $thrown = thrown_by(static function () use ($client, $url) {
        foreach ($client->sendAll([apart($url), apart($url)]) as $response) {
            fail('no result');
        }
    }, DomainException::class);
    $now = hrtime(true);
    assert_same('stop', $thrown?->getMessage(), $what);
    assert_between(0.0, 0.15, ($now - $sent()) / 1e9, "$what: seconds to the end");
    $what === 'a stalled one' ? abandoned('a', 2) : assert_same(2, count(received('a')), $what);
}
done();
?>
--EXPECT--
done
