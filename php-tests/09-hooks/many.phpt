--TEST--
Memory stays flat over many calls with hooks
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$calls = 0;
$count = static function () use (&$calls) { $calls++; };
$real = new RetryClient(baseDelay: 0, jitter: 0, onAttempt: static fn($request) => ['X-A' => $request->method], onOutcome: $count, onRetry: $count, throwOnGiveUp: false, maxAttempts: 2);
$url = server('http') . '/status/503';
$run = static function (int $times) use ($real, $url): int {
    for ($i = 0; $i < $times; $i++) {
        $real->post($url, json: ['i' => $i], headers: ['X-I' => "$i"], query: ['i' => $i]);
        try {
            $real->with(throwOnGiveUp: true)->get($url);
        } catch (RetryClient\AttemptsExhaustedException) {
        }
        try {
            $real->get($url, headers: ['A' => "\n"]);
        } catch (ValueError) {
        }
    }
    gc_collect_cycles();
    return memory_get_usage();
};
$run(20);
$before = $run(20);
assert_between(-1_000, 1_000, $run(100) - $before, 'bytes');
assert_same((20 + 20 + 100) * 2 * 3, $calls);
done();
?>
--EXPECT--
done
