--TEST--
A turn that comes after the budget is no wait at all
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
foreach (['1 per 10s', '6/min'] as $limit) {
    $client = new RetryClient(limit: $limit);
    $client->get($url);
    $seconds = seconds(static fn() => $client->with(budget: 1.0)->get($url), $thrown);
    assert_same('RetryClient\BudgetExceededException', get_debug_type($thrown), $limit);
    assert_between(0.0, 0.3, $seconds, "$limit: at once");
    assert_same([null, []], [$thrown->response, $thrown->attempts], "$limit: nothing was sent");
    assert_between(9.0, 10.1, $thrown->needed, "$limit: needed");
    assert_between(9.0, 10.1, $thrown->retryAfter ?? 0.0, "$limit: retryAfter");
    assert_between(0.8, 1.0, $thrown->left, "$limit: left");
    assert_contains(' was not sent; the next attempt is due in ', $thrown->getMessage(), $limit);
}
assert_same(2, count(received('a')), 'requests');

// One that fits is waited for.
$client = new RetryClient(limit: '4/s', budget: 1.0);
$client->get($url);
assert_between(0.1, 0.3, $client->get($url)->waited, 'a turn in time');

// What is waited under a limit is no attempt and knows no maxRetryAfter.
$client = new RetryClient(limit: '2/s', maxAttempts: 1, maxRetryAfter: 0.0);
$client->get($url);
$response = $client->get($url);
assert_same([1, 200], [count($response->attempts), $response->status]);
assert_between(0.4, 0.6, $response->waited, 'waited');
done();
?>
--EXPECT--
done
