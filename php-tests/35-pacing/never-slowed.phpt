--TEST--
An API that never says "too much" is never slowed
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$url = script('a', [[], ['status' => 404], ['status' => 401], [], ['times' => 1000]]);
$client = new RetryClient();
$paced = together(3, static function () use ($client, $url) {
    for ($i = 0; $i < 50; $i++) {
        $response = $client->get($url);
        $paced[] = $response->waited + array_sum(array_column($response->attempts, 'paced'));
    }
    return $paced;
});
assert_same([0.0], array_values(array_unique(array_merge(...$paced))));
// Nor is one by plain server errors.
$url = script('b', [['status' => 500], []]);
$response = (new RetryClient(baseDelay: 0.05, jitter: 0.0))->get($url);
assert_same([0.05, [0.0, 0.0]], [$response->waited, array_column($response->attempts, 'paced')]);
done();
?>
--EXPECT--
done
