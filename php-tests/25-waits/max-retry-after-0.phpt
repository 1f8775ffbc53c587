--TEST--
maxRetryAfter: 0 sends again at once
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxRetryAfter: 0.0, jitter: 0.0, baseDelay: 5.0);
$response = $client->get(script('a', [['status' => 429, 'headers' => [['Retry-After', '20']]], []]));
assert_same(200, $response->status);
assert_between(0.0, 0.05, $response->waited, 'waited');
assert_between(0.0, 0.3, gaps(received('a', 2))[0], 'gap');
done();
?>
--EXPECT--
done
