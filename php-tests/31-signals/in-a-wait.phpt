--TEST--
A handler runs in time during a wait, and the wait goes on to its due time
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
$ran = null;
pcntl_signal(SIGUSR1, function () use (&$ran) { $ran ??= hrtime(true); });
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.8']]], ['body' => 'ok']]);
$sent = signal_after(0.3, SIGUSR1);
$response = (new RetryClient(jitter: 0.0))->get($url);
assert_same(['ok', 0.8], [$response->body, $response->waited], 'response');
assert_between(0.0, 0.05, ($ran - $sent()) / 1e9, 'seconds from the signal to the handler');
assert_between(0.8, 0.95, gaps(received('a', 2))[0], 'gap');
done();
?>
--EXPECT--
done
