--TEST--
status(), reasonPhrase(), protocol() and headers(): those of the answer that will be the outcome, never of one that is retried
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

/** What status() says from the start to the end, each change once. */
function statuses(RetryClient\Pending $pending): array
{
    $seen = [$pending->status()];
    while (!$pending->done()) {
        RetryClient::poll([$pending], 0.02);
        $isHere = $pending->status() !== null;
        assert_same([$isHere, $isHere, $isHere], [$pending->headers() !== [], $pending->reasonPhrase() !== null, $pending->protocol() !== null], 'they come together');
        if ($pending->status() !== $seen[count($seen) - 1]) {
            $seen[] = $pending->status();
        }
    }
    return $seen;
}

$client = new RetryClient(baseDelay: 0.1, jitter: 0.0, verify: server('ca'));
foreach (['http', 'h2'] as $on) {
    $final = ['status' => 201, 'reason' => 'Made', 'headers' => [['X-A', '1']], 'body' => 'late', 'body_delay_ms' => 400];
    $pending = $client->start(apart(script('a', [['status' => 503, 'headers' => [['X-Not', '1']]], ['status' => 500], $final], $on)));
    $begin = hrtime(true);
    poll_until(static fn() => $pending->status() !== null, $pending);
    assert_same([201, false, '1', false], [$pending->status(), $pending->done(), $pending->headers()['x-a'][0] ?? null, isset($pending->headers()['x-not'])], "$on: with the headers");
    assert_same($on === 'h2' ? ['', '2'] : ['Made', '1.1'], [$pending->reasonPhrase(), $pending->protocol()], "$on: the status line");
    assert_same($pending->headers(), $pending->wait()->headers, "$on: headers()");
    assert_same([$pending->wait()->reasonPhrase, $pending->wait()->protocol], [$pending->reasonPhrase(), $pending->protocol()], "$on: the status line at the end");
    assert_same(201, $pending->status(), "$on: at the end");
    assert_between(0.7, 2.5, (hrtime(true) - $begin) / 1e9, "$on: two waits and the body's delay");

    $pending = $client->start(apart(script('b', [['status' => 503, 'body' => 'x', 'body_delay_ms' => 200], ['body' => 'ok', 'body_delay_ms' => 200]], $on)));
    assert_same([null, 200], statuses($pending), "$on: a retry is not seen");

    // Redirects are not the outcome either.
    $to = script('to', [['status' => 202, 'body_delay_ms' => 100, 'body' => 'there']], $on);
    $pending = $client->start(new Request('GET', script('c', [['action' => 'redirect', 'location' => $to, 'delay_ms' => 100]], $on)));
    assert_same([null, 202], statuses($pending), "$on: a redirect is not seen");
}

// A body that breaks takes it back.
$broken = ['content_length' => 20, 'chunks' => ['hello', ' ', 'world'], 'drip' => ['every_ms' => 150]];
$pending = $client->start(apart(script('d', [$broken, ['status' => 201, 'body' => 'whole', 'delay_ms' => 200]])));
assert_same([null, 200, null, 201], statuses($pending), 'a broken body');
assert_same(['whole', 2, 5], [($response = $pending->wait())->body, count($response->attempts), $pending->received()], 'a broken body: the outcome');

// When it gives up, the last one is the outcome.
$pending = $client->with(maxAttempts: 2, throwOnGiveUp: false)->start(apart(script('e', [['status' => 503], ['status' => 502, 'body' => 'end']])));
assert_same([502, 502], [$pending->wait()->status, $pending->status()], 'given up');
done();
?>
--EXPECT--
done
