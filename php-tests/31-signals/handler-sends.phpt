--TEST--
A handler may send with the same client
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
$client = new RetryClient(jitter: 0.0);
$inner = null;
$other = script('b', [['status' => 503], ['body' => 'inner']]);
pcntl_signal(SIGUSR1, function () use (&$inner, $client, $other) { $inner = $client->with(baseDelay: 0.01)->get($other, limitKey: 'b')->body; });
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.6']]], ['body' => 'outer']]);
$sent = signal_after(0.2, SIGUSR1);
assert_same(['outer', 'inner'], [$client->get($url)->body, $inner]);
$sent();
assert_between(0.6, 0.75, gaps(received('a', 2))[0], 'gap');
done();
?>
--EXPECT--
done
