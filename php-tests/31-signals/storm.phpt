--TEST--
A storm of SIGALRM delays a wait hardly and hurts nothing
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
pcntl_signal(SIGALRM, function () use (&$count) { $count++; });
$url = script('a', [['status' => 503, 'times' => 5], ['body_repeat' => ['x', 100_000], 'chunked' => true, 'chunk_size' => 1000]]);
$sent = signal_after(0.01, SIGALRM, times: 20_000, apart: 0.00002);
$client = new RetryClient(maxAttempts: 6, baseDelay: 0.1, multiplier: 1.0, jitter: 0.0);
$response = $client->get($url);
assert_same([100_000, 6], [strlen($response->body), count($response->attempts)]);
$sent();
assert_true($count > 500, "handlers that ran: $count");
foreach (gaps(received('a', 6)) as $n => $gap) {
    assert_between(0.1, 0.3, $gap, "gap $n");
}
done();
?>
--EXPECT--
done
