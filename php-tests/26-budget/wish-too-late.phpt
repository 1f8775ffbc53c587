--TEST--
A wish that ends after the budget ends the call at once, with the response
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 429, 'body' => 'come back', 'headers' => [['Retry-After', '40']]], []]);
$seconds = seconds(fn() => (new RetryClient(budget: 5.0, maxRetryAfter: 1.0))->get("$url?key=s3cret"), $thrown);
assert_same(RetryClient\BudgetExceededException::class, get_debug_type($thrown));
assert_between(0.0, 0.5, $seconds, 'at once, though the capped wait would fit');
assert_same([429, 'come back', 40.0], [$thrown->response->status, $thrown->response->body, $thrown->retryAfter], 'response');
assert_between(39.5, 40.0, $thrown->needed, 'needed');
assert_between(4.5, 5.0, $thrown->left, 'left');
assert_same([1, 'budget-exceeded', 0.0], [count($thrown->attempts), $thrown->attempts[0]->reason->value, $thrown->attempts[0]->wait], 'attempts');
assert_same(null, $thrown->getPrevious(), 'previous');
assert_same(1, preg_match('~^GET ' . preg_quote($url) . ' answered 429 Too Many Requests; the next attempt is due in [\d.]+ seconds, with [\d.]+ seconds left$~', $thrown->getMessage()), $thrown->getMessage());
done();
?>
--EXPECT--
done
