--TEST--
FakeClient: the clock goes on from call to call, and budget and wishes go by it
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{BudgetExceededException, FakeClient, Response};

$limited = static fn(string $after) => new Response(status: 429, headers: ['Retry-After' => $after]);

// A wish, capped and uncapped.
$response = (new FakeClient([$limited('20'), $limited('100'), new Response(body: 'x')]))->get('http://a.test/');
assert_same([20.0, 30.0, 0.0], array_column($response->attempts, 'wait'));
assert_same([50.0, 50.0, null], [$response->waited, $response->elapsed, $response->retryAfter]);

// A wish as a date counts from the answer's own Date.
$date = static fn(int $time) => gmdate('D, d M Y H:i:s', $time) . ' GMT';
$answer = new Response(status: 503, headers: ['Date' => $date(1_000_000_000), 'Retry-After' => $date(1_000_000_007)]);
assert_same(7.0, (new FakeClient([$answer, new Response()]))->get('http://a.test/')->waited, 'date');

// A budget is used up by waits.
$client = new FakeClient([$limited('4'), $limited('4'), $limited('4')], budget: 10);
$thrown = thrown_by(static fn() => $client->get('http://a.test/'), BudgetExceededException::class);
assert_same([4.0, 2.0, 4.0, 3], [$thrown->needed, $thrown->left, $thrown->retryAfter, count($thrown->attempts)]);
// It counts uncapped.
$thrown = thrown_by(static fn() => (new FakeClient([$limited('100')], budget: 50))->get('http://a.test/'), BudgetExceededException::class);
assert_same([100.0, 50.0, 100.0], [$thrown->needed, $thrown->left, $thrown->retryAfter]);

// What one call was told holds back the next one, on the same clock.
$client = new FakeClient([$limited('30'), new Response(body: 'x')], maxAttempts: 1, throwOnGiveUp: false);
assert_same(30.0, $client->get('http://a.test/')->retryAfter);
$response = $client->get('http://a.test/');
assert_same([30.0, 30.0], [$response->waited, $response->attempts[0]->paced], 'held back');
// limitKey names what is held back, on one origin; the call's own one counts.
$client = new FakeClient([$limited('30'), new Response(), new Response(), new Response()], maxAttempts: 1, throwOnGiveUp: false, limitKey: 'one');
$client->get('http://a.test/x');
assert_same([0.0, 0.0, 30.0], [
    $client->get('http://a.test/x', limitKey: 'two')->waited, $client->get('http://b.test/x')->waited, $client->with(limitKey: null)->get('http://a.test/y', limitKey: 'one')->waited,
]);
// Another client knows nothing of it.
assert_same(0.0, (new FakeClient([new Response()]))->get('http://a.test/')->waited);
done();
?>
--EXPECT--
done
