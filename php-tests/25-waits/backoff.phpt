--TEST--
The backoff grows by the multiplier up to maxDelay, and each retry is sent when due
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 5, baseDelay: 0.05, multiplier: 2.0, maxDelay: 0.15, jitter: 0.0);
$response = $client->get(script('a', [['status' => 500, 'times' => 4], []]));
$waits = array_map(fn($a) => $a->wait, $response->attempts);
assert_same([0.05, 0.1, 0.15, 0.15, 0.0], $waits, 'waits');
foreach (gaps(received('a', 5)) as $n => $gap) {
    assert_between($waits[$n], $waits[$n] + 0.2, $gap, "gap $n");
}
assert_between(0.4499, 0.4501, $response->waited, 'waited');
done();
?>
--EXPECT--
done
