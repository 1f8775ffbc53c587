--TEST--
Jitter is added to every wait, at random, up to its bound
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 20, baseDelay: 0.01, multiplier: 1.0, jitter: 0.02, throwOnGiveUp: false);
$steps = [['status' => 500, 'times' => 10], ['status' => 429, 'headers' => [['Retry-After', '0.01']]]];
$response = $client->get(script('a', $steps));
$waits = array_map(fn($a) => $a->wait, array_slice($response->attempts, 0, 19));
foreach ($waits as $n => $wait) {
    assert_between(0.01, 0.03, $wait, "wait $n");
}
assert_true(count(array_unique($waits)) > 15, 'not at random');
assert_true(max($waits) - min($waits) > 0.005, 'hardly any spread');
foreach (gaps(received('a', 20)) as $n => $gap) {
    assert_true($gap >= $waits[$n], "gap $n is shorter than its wait");
}
done();
?>
--EXPECT--
done
