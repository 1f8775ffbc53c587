--TEST--
A gate that stays shut past the budget ends the call before it sends
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '5']]], []]);
$client = new RetryClient(maxAttempts: 1, throwOnGiveUp: false);
$client->get($url);
$seconds = seconds(fn() => (new RetryClient(budget: 1.0))->get($url), $thrown);
assert_same(RetryClient\BudgetExceededException::class, get_debug_type($thrown));
assert_between(0.0, 0.5, $seconds, 'at once');
assert_same([null, []], [$thrown->response, $thrown->attempts], 'nothing was sent');
assert_between(4.0, 5.0, $thrown->retryAfter, 'retryAfter');
assert_between($thrown->retryAfter, $thrown->retryAfter, $thrown->needed, 'needed');
assert_between(0.9, 1.0, $thrown->left, 'left');
assert_same(1, count(received('a')), 'requests');
done();
?>
--EXPECT--
done
