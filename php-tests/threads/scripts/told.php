<?php
// What one thread is told, all obey.
require __DIR__ . '/../../support.php';

$client = new RetryClient(jitter: 0.0, limitKey: 'told');
if ($thread === 0) {
    $response = $client->get(server('http') . '/threads.told/first');
    assert_same([429, 200], array_column($response->attempts, 'status'));
} else {
    control('GET', '/_log/threads.told?wait=1&timeout_ms=5000');
    usleep(100_000);    // the others come when the first knows
    assert_same([200], array_column($client->get(server('http') . "/threads.told/$thread")->attempts, 'status'));
}
done();
