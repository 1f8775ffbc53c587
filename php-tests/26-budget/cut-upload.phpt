--TEST--
Sending the body is inside the budget
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$file = tmpfile();
ftruncate($file, 100_000_000);
$url = script('a', [['read_body' => false, 'action' => 'stall']]);
$seconds = seconds(fn() => (new RetryClient(budget: 0.3))->post($url, body: $file), $thrown);
assert_same(RetryClient\BudgetExceededException::class, get_debug_type($thrown));
assert_between(0.3, 0.5, $seconds, 'seconds');
done();
?>
--EXPECT--
done
