--TEST--
The decision on a 429 waits for its body, but not longer than a second
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$quota = json_encode(['error' => ['code' => 'insufficient_quota']]);
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, maxAttempts: 2, throwOnGiveUp: false);
$response = $client->get(script('a', [['status' => 429, 'body' => $quota, 'body_delay_ms' => 400]]));
assert_same([1, $quota], [count($response->attempts), $response->body], 'after 0.4 s');
$seconds = seconds(fn() => $client->get(script('b', [['status' => 429, 'body' => $quota, 'body_delay_ms' => 5000], ['body' => 'ok']])), $response);
assert_same([2, 'ok'], [count($response->attempts), $response->body], 'after 5 s');
assert_between(1.0, 1.5, $seconds, 'seconds');
done();
?>
--EXPECT--
done
