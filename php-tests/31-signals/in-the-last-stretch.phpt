--TEST--
Signals at any point of a wait neither shorten it nor go unseen
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
$count = 0;
pcntl_signal(SIGUSR1, function () use (&$count) { $count++; });
$url = script('a', [['status' => 500, 'times' => 30], ['body' => 'ok']]);
$client = new RetryClient(maxAttempts: 31, baseDelay: 0.02, multiplier: 1.0, jitter: 0.0);
$sent = signal_after(0.01, SIGUSR1, times: 500, apart: 0.0011);
$response = $client->get($url);
$seen = $count;
$sent();
assert_same(31, count($response->attempts), 'attempts');
assert_true($seen > 100, "handlers that ran: $seen");
foreach (gaps(received('a', 31)) as $n => $gap) {
    assert_between(0.02, 0.12, $gap, "gap $n");
}
done();
?>
--EXPECT--
done
