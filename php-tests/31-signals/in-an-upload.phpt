--TEST--
A handler runs while a body is sent
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
$file = tmpfile();
ftruncate($file, 30_000_000);
$url = script('a', [['read_delay_ms' => 700, 'body' => 'ok']]);
$sent = signal_after(0.3, SIGUSR1);
$response = (new RetryClient(maxAttempts: 1))->post($url, body: $file);
assert_same(['ok', 30_000_000], [$response->body, received('a', 1)[0]['body_length']]);
assert_between(0.0, 0.1, ($ran - $sent()) / 1e9, 'seconds to the handler');
done();
?>
--EXPECT--
done
