--TEST--
cancel() drops the call at once: HTTP/1 closes its connection, HTTP/2 resets the one stream
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(verify: server('ca'), maxAttempts: 2, baseDelay: 0.3, jitter: 0.0);
foreach (['http', 'h2'] as $on) {
    $client->get(script('before', [['body' => 'x']], $on));
    $steps = [
        'no answer yet' => ['action' => 'stall'],
        'in the body' => ['action' => 'half', 'body' => 'hello', 'end' => 'stall'],
        'while bytes come' => ['action' => 'endless', 'drip' => ['every_ms' => 20]],
    ];
    if ($on === 'h2') {
        $steps['in the body'] = ['body' => 'hello', 'body_delay_ms' => 60_000];    // `end` would end the connection
    }
    foreach ($steps as $what => $step) {
        $pending = $client->start(new Request('GET', script('a', [$step], $on)));
        assert_same(null, $pending->wait(0.15), "$on, $what: not yet");
        $begin = hrtime(true);
        $pending->cancel();
        [$left] = abandoned('a', 1) + [['left_ns' => 0]];
        assert_between(0.0, 0.3, ($left['left_ns'] - $begin) / 1e9, "$on, $what: seconds to the end");
        assert_same(true, $pending->done(), "$on, $what: done");
        assert_throws(Error::class, 'The request was cancelled', static fn() => $pending->wait());
        assert_throws(Error::class, 'The request was cancelled', static fn() => $pending->wait(0.0));
        $pending->cancel();
        assert_same(1, count(received('a')), "$on, $what: it is not sent again");
    }
    $client->get(script('after', [['body' => 'x']], $on));
    $same = received('before')[0]['connection'] === received('after')[0]['connection'];
    assert_same($on === 'h2', $same, "$on: whether one connection serves all");
}

// In a wait: nothing is sent any more.
$pending = $client->start(apart(script('wait', [['status' => 503], []])));
poll_until(static fn() => count(received('wait')) === 1, $pending);
$pending->wait(0.05);
$pending->cancel();
(new RetryClient())->get(server('http') . '/delay/500');
assert_same(1, count(received('wait')), 'requests after a cancel in a wait');

// After the end it does nothing.
$pending = $client->start(new Request('GET', script('end', [['body' => 'kept']])));
$response = $pending->wait();
$pending->cancel();
assert_true($response === $pending->wait(), 'its outcome stays');
done();
?>
--EXPECT--
done
