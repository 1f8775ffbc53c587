--TEST--
Without async signals a handler waits for pcntl_signal_dispatch(), and the call goes on
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

$count = 0;
pcntl_signal(SIGUSR1, function () use (&$count) { $count++; });
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.4']]], ['body' => 'ok']]);
$sent = signal_after(0.1, SIGUSR1);
assert_same('ok', (new RetryClient(jitter: 0.0))->get($url)->body);
$sent();
assert_same(0, $count, 'before');
pcntl_signal_dispatch();
assert_same(1, $count, 'after');
assert_between(0.4, 0.6, gaps(received('a', 2))[0], 'gap');
done();
?>
--EXPECT--
done
