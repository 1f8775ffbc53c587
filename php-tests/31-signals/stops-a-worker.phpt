--TEST--
SIGTERM in a wait lets a worker finish its call and stop
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
$stop = false;
pcntl_signal(SIGTERM, function () use (&$stop) { $stop = true; });
$client = new RetryClient(baseDelay: 20.0, onRetry: function () use (&$stop) { return !$stop; }, jitter: 0.0);
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.3']]], ['status' => 503]]);
$sent = signal_after(0.1, SIGTERM);
$thrown = thrown_by(fn() => $client->get($url), RetryClient\AttemptsExhaustedException::class);
$sent();
assert_same([true, 2, 'stopped'], [$stop, count($thrown?->attempts ?? []), $thrown->attempts[1]->reason->value]);
done();
?>
--EXPECT--
done
