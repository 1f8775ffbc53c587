--TEST--
An attempt ends at timeout, all of them at the budget
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(timeout: 0.2, budget: 0.7, baseDelay: 0.1, multiplier: 1.0, jitter: 0.0);
$seconds = seconds(fn() => $client->get(script('a', [['action' => 'stall']])), $thrown);
assert_same([RetryClient\BudgetExceededException::class, 3], [get_debug_type($thrown), count($thrown->attempts)], 'attempts at 0, 0.3 and 0.6 s');
assert_between(0.7, 0.9, $seconds, 'seconds');
assert_between(0.2, 0.3, $thrown->attempts[0]->duration, 'the first was cut by timeout');
assert_between(0.05, 0.15, $thrown->attempts[2]->duration, 'the third by the budget');
done();
?>
--EXPECT--
done
