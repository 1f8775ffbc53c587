--TEST--
After a fork in a signal handler the parent's call goes on
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
$own = script('b', [['body' => 'own']]);
$child = null;
pcntl_signal(SIGUSR1, function () use (&$child, $own) {
    $child = child(function () use ($own) {
        assert_same('own', (new RetryClient())->get($own)->body, 'a call of the child');
    });
});
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.6']]], ['body' => 'ok']]);
$sent = signal_after(0.2, SIGUSR1);
assert_same('ok', (new RetryClient(jitter: 0.0))->get($url)->body);
$sent();
joined($child);
assert_between(0.6, 1.1, gaps(received('a', 2))[0], 'gap');
assert_same(1, count(received('b', 1)), 'the child has sent');
done();
?>
--EXPECT--
done
