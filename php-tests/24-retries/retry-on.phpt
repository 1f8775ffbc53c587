--TEST--
retryOn names the statuses, and only those
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, throwOnGiveUp: false, retryOn: [404, '4XX', 503]);
$sends = fn(int $status): int => count($client->get(script('a', [['status' => $status]]))->attempts);
assert_same([2, 2, 2, 2, 1, 1], array_map($sends, [404, 400, 429, 503, 500, 302]));
assert_same(1, count((new RetryClient(retryOn: [], baseDelay: 0.0))->get(script('a', [['status' => 503]]))->attempts), 'none');
assert_same(3, count((new RetryClient(retryOn: ['2xx'], maxAttempts: 3, throwOnGiveUp: false, baseDelay: 0.0, jitter: 0.0))->get(script('a', [['status' => 202], ['status' => 200]]))->attempts), '2xx');
done();
?>
--EXPECT--
done
