<?php
// What one thread is told, all obey.
require __DIR__ . '/../../support.php';

$client = new RetryClient(jitter: 0.0, limitKey: 'told');
if ($thread === 0) {
    $response = $client->get(server('http') . '/threads.told/first');
    assert_same([429, 200], array_column($response->attempts, 'status'));
} else {
    // The others come when the first knows.
    $keys = static fn() => array_filter(RetryClient::stats()['keys'], static fn($key) => $key['refused'] > 0);
    for ($end = hrtime(true) + 5_000_000_000; !$keys() && hrtime(true) < $end;) {
        usleep(2_000);
    }
    assert_same([200], array_column($client->get(server('http') . "/threads.told/$thread")->attempts, 'status'));
}
done();
