--TEST--
Started calls leave nothing behind
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, onOutcome: static fn() => null);
$base = server('http');
$round = static function () use ($client, $base): void {
    $pending = [];
    foreach (["$base/bytes/20000", "$base/status/404", "$base/drop", server('refused'), "$base/stall", "$base/half/100", "$base/bytes/5000"] as $uri) {
        $pending[] = $client->start(apart($uri));
    }
    $pending[4]->cancel();
    $stalled = $client->start(apart("$base/stall"));
    foreach ($pending as $i => $one) {
        try {
            $i === 6 ? RetryClient::poll([$one]) && $one->read() : $one->wait();
        } catch (RetryClient\Exception | Error) {
        }
    }
};
$descriptors = static fn(): int => count(scandir('/proc/self/fd'));
for ($i = 0; $i < 60; $i++) {
    $round();
}
$before = [resident(), memory_get_usage(), $descriptors()];
for ($i = 0; $i < 150; $i++) {
    $round();
}
assert_between(0, 3_000_000, max(0, resident() - $before[0]), 'bytes resident');
assert_between(0, 4_000, max(0, memory_get_usage() - $before[1]), "bytes of PHP's memory");
assert_between(0, 3, max(0, $descriptors() - $before[2]), 'descriptors');
done();
?>
--EXPECT--
done
