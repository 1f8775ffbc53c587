--TEST--
A handler runs in time while a call waits for its turn; one that throws ends the wait
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

pcntl_async_signals(true);
$ran = null;
pcntl_signal(SIGUSR1, function () use (&$ran) { $ran ??= hrtime(true); });
connect();
$url = script('a', [[]]);
$client = new RetryClient(limit: '1/s');
$client->get($url);
$sent = signal_after(0.3, SIGUSR1);
$response = $client->get($url);
assert_between(0.0, 0.05, ($ran - $sent()) / 1e9, 'seconds from the signal to the handler');
assert_between(0.97, 1.2, gaps(received('a', 2))[0], 'the wait goes on to its due time');
assert_between(0.8, 1.1, $response->attempts[0]->paced, 'paced');

pcntl_signal(SIGUSR1, function () { throw new DomainException('enough'); });
$sent = signal_after(0.3, SIGUSR1);
assert_between(0.2, 0.6, seconds(static fn() => $client->get($url), $thrown), 'ended by the handler');
assert_same('DomainException', get_debug_type($thrown));
$sent();
assert_same(2, count(received('a')), 'nothing was sent');
// It has taken nothing from the others.
assert_between(0.0, 0.9, $client->get($url)->waited, 'the turn is free for the next');
done();
?>
--EXPECT--
done
