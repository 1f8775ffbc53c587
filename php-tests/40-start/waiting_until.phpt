--TEST--
Pending: waitingUntil() tells when the wait ends, before another attempt or before the first, and is null at all other times
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Pending, Request};

/** What a call that waits says, and the Unix time when it said so: read again if the machine has paused meanwhile. */
function told(Pending $pending, ?float &$now = null): float
{
    poll_until(static fn() => $pending->waitingUntil() !== null, $pending);
    do {
        $before = microtime(true);
        $told = $pending->waitingUntil();
        $now = microtime(true);
    } while ($now - $before > 0.02);
    return (float) $told;
}

/** Clocks may be set right by so much meanwhile. */
const SLACK = 0.05;

$client = new RetryClient(baseDelay: 2.0, jitter: 0.0, maxRetryAfter: 100.0);

// Under way, and before its answer. Then a wait that the server asks for, and one of the client's own.
$refused = ['status' => 429, 'headers' => [['Retry-After', '30']]];
$ways = [
    'Retry-After' => [$refused, 30.0],
    'backoff' => [['action' => 'drop'], 2.0],
    'the body is yet to come' => [['body' => 'x', 'content_length' => 10, 'end' => 'stall'] + $refused, 30.0],
];
foreach ($ways as $what => [$step, $wait]) {
    [$first, $second] = [script_name("first-$what"), script_name("second-$what")];
    $request = apart(script('a', [['hold' => $first] + $step, ['hold' => $second, 'body' => 'ok']]));
    $pending = $client->start($request);
    poll_until(static fn() => count(received('a')) === 1, $pending);
    assert_same(null, $pending->waitingUntil(), "$what: under way");
    $begin = microtime(true);
    release($first);
    $told = told($pending, $now);
    assert_between($begin + $wait - SLACK, $now + $wait + SLACK, $told, "$what: the end of the wait");
    assert_same([null, false], [$pending->status(), $pending->done()], "$what: nothing is told of the answer");
    assert_between($told - SLACK, $told + SLACK, told($pending), "$what: it stays");
    if ($wait < 30) {
        // Over while PHP does not look: the call goes on only when PHP waits again.
        time_sleep_until($told + 0.1);
        assert_between($told - SLACK, $told + SLACK, told($pending), "$what: in the past");
        poll_until(static fn() => $pending->waitingUntil() === null, $pending);
        poll_until(static fn() => count(received('a')) === 2, $pending);
        assert_same([false, null], [$pending->done(), $pending->waitingUntil()], "$what: the second attempt is under way");
        release($second);
        assert_same('ok', $pending->wait()->body, $what);
    } else {
        assert_same(null, $pending->wait(0.0), "$what: wait() that only looks");
        $pending->cancel();
    }
    assert_same([true, null], [$pending->done(), $pending->waitingUntil()], "$what: after the end");
}

// Held back before its first attempt, by what another has met.
$begin = microtime(true);
$first = $client->start(new Request('GET', script('d', [$refused]), limitKey: 'd'));
told($first, $now);
$second = $client->start(new Request('GET', script('e', [[]]), limitKey: 'd'));
assert_between($begin + 30 - SLACK, $now + 30 + SLACK, told($second), 'the gate');
assert_same(null, $client->start(new Request('GET', script('f', [[]]), limitKey: 'd'))->waitingUntil(), 'behind another');
unset($first, $second);

// By a limit of its own, which it keeps a little more than exactly.
$limited = $client->with(limit: '1 per 30s');
$begin = microtime(true);
$limited->sendRequest($request = apart(script('g', [[]])));
$now = microtime(true);
$pending = $limited->start($request);
assert_between($begin + 30 - SLACK, $now + 30.1 + SLACK, told($pending), 'the limit');
assert_same(1, count(received('g')), 'requests under the limit');

// The virtual clock of a FakeClient passes waits at once.
$fake = new RetryClient\FakeClient([new RetryClient\Response(429), new RetryClient\Response(200)]);
$pending = $fake->start(new Request('GET', 'https://api.test/'));
assert_same([true, null], [$pending->done(), $pending->waitingUntil()], 'FakeClient');
done();
?>
--EXPECT--
done
