--TEST--
Hops are inside timeout and budget
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['action' => 'redirect', 'location' => '/' . script_name('a'), 'delay_ms' => 150]]);
$seconds = seconds(fn() => (new RetryClient(maxRedirects: 100, timeout: 0.4, maxAttempts: 1))->get($url), $thrown);
assert_same('timeout', $thrown->kind ?? $thrown, 'timeout');
assert_between(0.4, 0.8, $seconds, 'timeout');
$seconds = seconds(fn() => (new RetryClient(maxRedirects: 100, budget: 0.4))->get($url), $thrown);
assert_same(RetryClient\BudgetExceededException::class, $thrown::class, 'budget');
assert_between(0.4, 0.6, $seconds, 'budget');
done();
?>
--EXPECT--
done
