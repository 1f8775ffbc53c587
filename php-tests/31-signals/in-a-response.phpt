--TEST--
A handler runs in time while a response stalls, and the response is still read
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
foreach (['before the head' => ['delay_ms' => 700, 'body' => 'ok'], 'in the body' => ['body' => 'ok', 'body_delay_ms' => 700]] as $what => $step) {
    $ran = null;
    $url = script('a', [$step]);
    $sent = signal_after(0.3, SIGUSR1);
    $response = (new RetryClient(maxAttempts: 1))->get($url);
    assert_same('ok', $response->body, $what);
    assert_between(0.0, 0.05, ($ran - $sent()) / 1e9, "$what: seconds to the handler");
}
done();
?>
--EXPECT--
done
