--TEST--
A wait that would end at or past the budget is not begun
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(budget: 0.5, baseDelay: 0.2, multiplier: 1.0, jitter: 0.0);
$seconds = seconds(fn() => $client->get(script('a', [['status' => 503, 'body' => 'busy']])), $thrown);
assert_same(RetryClient\BudgetExceededException::class, get_debug_type($thrown));
assert_same([503, 'busy', 3], [$thrown->response->status, $thrown->response->body, count($thrown->attempts)], 'attempts at 0, 0.2 and 0.4 s');
assert_between(0.4, 0.5, $seconds, 'seconds');
assert_between(0.2, 0.2, $thrown->needed, 'needed');
assert_between(0.0, 0.1, $thrown->left, 'left');
assert_same(null, $thrown->retryAfter, 'retryAfter');

$seconds = seconds(fn() => $client->with(budget: 0.2)->get(script('b', [['status' => 503]])), $thrown);
assert_same([1, true], [count($thrown->attempts), $seconds < 0.2], 'a wait as long as the budget');
done();
?>
--EXPECT--
done
