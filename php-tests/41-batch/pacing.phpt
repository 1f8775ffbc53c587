--TEST--
Limits hold in a batch: the story's 40 per window, and no 429 once the limit is known
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

(new RetryClient())->get(server('http') . '/status/200');
// The caller's limit.
$client = new RetryClient(limit: '20/s burst 5', limitKey: uniqid());
$url = script('a', [['body' => 'x']]);
$seconds = seconds(static fn() => iterator_to_array($client->sendAll(array_fill(0, 25, new Request('GET', $url)), 10)), $results);
assert_same(25, count(array_filter($results, static fn($response) => $response->status === 200)));
assert_between(0.99, 1.8, $seconds, '20 after a burst of 5, at 20 a second');
$arrived = array_column(received('a', 25), 'monotonic_ns');
for ($i = 5; $i < 25; $i++) {
    assert_between(($i - 5) / 20 - 0.01, 2.0, ($arrived[$i] - $arrived[0]) / 1e9, "request $i");
}

// 40 pass, the 41st is told to wait; nothing is lost, and nobody hammers.
$name = script_name('story');
control('DELETE', "/_limited/$name");
$url = server('http') . "/limited/$name?limit=40&window_ms=1500&retry_after=fraction";
$client = new RetryClient(limitKey: uniqid(), jitter: 0.0);
$results = iterator_to_array($client->sendAll(array_fill(0, 60, new Request('GET', $url)), 8));
assert_same(60, count(array_filter($results, static fn($response) => $response->status === 200)), 'results');
$seen = control('GET', "/_limited/$name?log=0");
assert_same(60, $seen['accepted'], 'accepted');
assert_between(1, 16, $seen['refused'], 'refused: those in flight at first contact, and few after');
done();
?>
--EXPECT--
done
