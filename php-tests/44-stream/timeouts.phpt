--TEST--
timeout runs to the first body byte, a budget to the end
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{BudgetExceededException, NetworkException};

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, timeout: 0.4);
// After the first byte it may take longer.
$seconds = seconds(static fn() => implode('', iterator_to_array($client->stream('GET', script('a', [chunks(str_split('abcde'), 200)])))), $body);
assert_same('abcde', $body);
assert_between(0.8, 1.5, $seconds, 'longer than timeout');
// Before it, it is an attempt that failed.
foreach (['delay_ms', 'body_delay_ms'] as $delay) {
    $stream = $client->stream('GET', script('b', [['body' => 'late', $delay => 5000], ['body' => 'second']]));
    assert_same(['second', 2], [implode('', iterator_to_array($stream)), count($stream->attempts)], $delay);
    $seconds = seconds(static fn() => $client->stream('GET', script('c', [['body' => 'late', $delay => 5000]])), $thrown);
    assert_between(0.8, 1.3, $seconds, "$delay: two attempts");
    assert_same([NetworkException::class, 'timeout', 2], [get_debug_type($thrown), $thrown->kind ?? null, count($thrown->attempts ?? [])], $delay);
}

// A budget ends it, before the first byte and after.
$client = new RetryClient(budget: 0.5, maxAttempts: 1);
foreach (['delay_ms', 'body_delay_ms'] as $delay) {
    $seconds = seconds(static fn() => $client->stream('GET', script('d', [['body' => 'late', $delay => 5000]])), $thrown);
    assert_between(0.5, 0.8, $seconds, "budget, $delay");
    assert_same([BudgetExceededException::class, 0.0, 0.0], [get_debug_type($thrown), $thrown->needed ?? null, $thrown->left ?? null], "budget, $delay");
}
$got = '';
$begin = hrtime(true);
$stream = $client->stream('GET', script('e', [['action' => 'endless', 'drip' => ['every_ms' => 50]]]));
$thrown = thrown_by(static function () use ($stream, &$got) {
    foreach ($stream as $chunk) {
        $got .= $chunk;
    }
}, BudgetExceededException::class);
assert_between(0.5, 0.8, (hrtime(true) - $begin) / 1e9, 'budget, in the body');
assert_between(4, 11, strlen($got), 'what came until then');
assert_same([strlen($got), NetworkException::class, 'timeout'], [$stream->received(), get_debug_type($thrown?->getPrevious()), $thrown->getPrevious()?->kind], 'what it tells');
abandoned('e', 1);
// PHP's own time does count against it.
$stream = $client->stream('GET', script('f', [['body' => "one\n", 'content_length' => 100, 'end' => 'stall']]));
usleep(700_000);
$seconds = seconds(static fn() => thrown_by(static function () use ($stream) { foreach ($stream as $chunk) {} }, BudgetExceededException::class));
assert_between(0.0, 0.2, $seconds, 'over already');
done();
?>
--EXPECT--
done
