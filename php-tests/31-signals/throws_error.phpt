--TEST--
What a handler throws ends the call, and the client goes on
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn() => throw new DomainException('stop'));
$client = new RetryClient(jitter: 0.0);
$cases = [
    'a wait' => script('a', [['status' => 429, 'headers' => [['Retry-After', '5']]]]),
    'a stalled response' => script('b', [['action' => 'stall']]),
];
foreach ($cases as $what => $url) {
    $sent = signal_after(0.2, SIGUSR1);
    seconds(fn() => $client->get($url, limitKey: $what), $thrown);
    $now = hrtime(true);
    assert_same(['stop', DomainException::class], [$thrown->getMessage(), $thrown::class], $what);
    assert_between(0.0, 0.1, ($now - $sent()) / 1e9, "$what: seconds from the signal to the end");
}
assert_same('ok', $client->get(script('c', [['body' => 'ok']]))->body, 'the next call');
done();
?>
--EXPECT--
done
