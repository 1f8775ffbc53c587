--TEST--
A wish is capped by maxRetryAfter, the backoff by maxDelay; retryAfter tells the wish
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 9.0, maxDelay: 0.06, maxRetryAfter: 0.08, jitter: 0.0);
foreach (['5', '99999999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'] as $n => $value) {
    $response = $client->get(script('a', [['status' => 429, 'headers' => [['Retry-After', $value]]], []]));
    assert_same(0.08, $response->attempts[0]->wait, $value);
    assert_between(0.08, 0.4, gaps(received('a', 2))[0], "$value: gap");
}
$response = $client->get(script('a', [['status' => 500], []]));
assert_same(0.06, $response->attempts[0]->wait, 'backoff');
$last = $client->with(throwOnGiveUp: false, maxAttempts: 1);
assert_same(120.0, $last->get(script('a', [['status' => 429, 'headers' => [['Retry-After', '120']]]]))->retryAfter, 'uncapped');
assert_same(0.5, $last->get(script('b', [['status' => 404, 'headers' => [['Retry-After', '0.5']]]]))->retryAfter, 'of any answer');
done();
?>
--EXPECT--
done
