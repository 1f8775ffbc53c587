--TEST--
Signals are handled in wait() and poll(), and what a handler throws leaves the call as it is
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
$waits = ['wait' => static fn($pending) => $pending->wait(), 'poll' => static fn($pending) => RetryClient::poll([$pending]), 'wait(5.0)' => static fn($pending) => $pending->wait(5.0)];
foreach ($waits as $what => $wait) {
    $ran = null;
    pcntl_signal(SIGUSR1, static function () use (&$ran) { $ran ??= hrtime(true); });
    $pending = $client->start(new Request('GET', $url = script('a', [['body' => 'ok', 'delay_ms' => 600]])));
    $sent = signal_after(0.2, SIGUSR1);
    $wait($pending);
    assert_between(0.0, 0.1, ($ran - $sent()) / 1e9, "$what: seconds to the handler");
    assert_same('ok', $pending->wait()->body, "$what: the call");

    pcntl_signal(SIGUSR1, static fn() => throw new DomainException('stop'));
    $pending = $client->start(new Request('GET', $url));
    $sent = signal_after(0.2, SIGUSR1);
    $thrown = thrown_by(static fn() => $wait($pending), DomainException::class);
    $now = hrtime(true);
    assert_same('stop', $thrown?->getMessage(), $what);
    assert_between(0.0, 0.15, ($now - $sent()) / 1e9, "$what: seconds to the end");
    assert_same('ok', $pending->wait()->body, "$what: the call can be waited for again");
    assert_same(2, count(received('a')), "$what: requests");
}
done();
?>
--EXPECT--
done
