--TEST--
A started call is on its way at once, and wait() hands over what send() would
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Pending, Request, Response};

$client = new RetryClient(baseDelay: 0.05, jitter: 0.0);
$steps = [['status' => 503], ['status' => 201, 'reason' => 'Made', 'headers' => [['X-A', '1'], ['X-A', '2']], 'body' => 'ok']];
$pending = $client->start(new Request('PUT', $url = script('a', $steps), body: 'sent'));
assert_same(Pending::class, get_debug_type($pending));
$response = $pending->wait();
assert_same(Response::class, get_debug_type($response));
assert_same([201, 'Made', '1, 2', 'ok', $url, 2], [$response->status, $response->reasonPhrase, $response->header('x-a'), $response->body, $response->uri, count($response->attempts)]);
assert_same(['sent', 'sent'], array_map(body_of(...), received('a', 2)), 'the bodies');
assert_between(0.05, 0.5, gaps(received('a'))[0], 'the wait');
assert_same([0.05, 'backoff'], [$response->waited, $response->attempts[0]->reason->value]);

// It repeats its outcome.
assert_true($response === $pending->wait(), 'the same object');
assert_true($response === $pending->wait(0.0), 'the same object, with a timeout');
assert_same([true, 201, $response->headers], [$pending->done(), $pending->status(), $pending->headers()]);

// It needs nobody to wait for it to be on its way: this process makes no call while the server's log is looked at.
$pending = $client->start(new Request('GET', script('b', [['body' => 'b']])));
assert_same(1, count(received('b', 1)), 'requests');
assert_same('b', $pending->wait()->body);

// Those that are on their way at once take as long as one.
$seconds = seconds(static function () use ($client) {
    $pending = array_map(static fn($i) => $client->start(new Request('GET', server('http') . "/delay/300?i=$i")), range(1, 10));
    return array_map(static fn($one) => $one->wait()->status, $pending);
}, $statuses);
assert_same(array_fill(0, 10, 200), $statuses);
assert_between(0.3, 1.2, $seconds, 'ten at once');
done();
?>
--EXPECT--
done
