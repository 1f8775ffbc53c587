--TEST--
FakeClient keeps limits on its virtual clock, and knows nothing of other objects
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{BudgetExceededException, FakeClient, Response};

$fake = static fn(mixed ...$options) => new FakeClient(static fn() => new Response(), ...$options);
// To a tenth of a second: a limit keeps a little in hand for requests that take differently long to arrive.
$waits = static function (FakeClient $client, int $calls, mixed ...$arguments): array {
    for ($i = 0; $i < $calls; $i++) {
        $waits[] = round(max(0.0, $client->get('http://a.test/', ...$arguments)->waited - 0.02), 1);
    }
    return $waits;
};
$took = seconds(static function () use ($fake, $waits) {
    assert_same([0.0, 1.5, 1.5, 1.5], $waits($fake(limit: '40/min'), 4), 'a rate');
    assert_same([0.0, 0.0, 0.0, 6.0], $waits($fake(limit: '10/min burst 3'), 4), 'a burst');
    assert_same([0.0, 0.0, 100.0, 0.0, 100.0], $waits($fake(limit: '2 per 100s'), 5), 'a window');
    assert_same([0.0, 0.0, 0.0], $waits($fake(limit: '1 at once'), 3), 'at once');
    assert_same([0.0, 20.0, 20.0], $waits($fake(limit: '6/min burst 2'), 3, cost: 2.0), 'costs');
    assert_same([0.0, 86400.0], $waits($fake(limit: '1/day'), 2), 'a day');
});
$slow = getenv('USE_ZEND_ALLOC') === '0' ? 100 : 1;    // under valgrind
assert_between(0.0, 0.5 * $slow, $took, 'no time passes');

// Apart from other objects, and from share or not; with() is the same knowledge.
$client = $fake(limit: '1/h');
assert_same([0.0], $waits($client, 1));
assert_same([0.0], $waits($fake(limit: '1/h'), 1), 'another object');
assert_same([3600.0], $waits($client->with(maxAttempts: 2), 1), 'a copy');
assert_same([0.0], $waits($client, 1, limitKey: 'x'), 'another key');

// A budget is one of the virtual clock.
$client = $fake(limit: '1/h', budget: 10.0);
$client->get('http://a.test/');
$thrown = thrown_by(static fn() => $client->get('http://a.test/'), BudgetExceededException::class);
assert_same([[], null, 10.0], [$thrown?->attempts, $thrown?->response, $thrown?->left]);
assert_between(3600.0, 3600.1, $thrown->needed, 'needed');
assert_same(1, count($client->requests()), 'it was not sent');

// What one call is told holds back the next.
$client = new FakeClient([new Response(status: 429, headers: ['Retry-After' => '20']), new Response(), new Response()], maxAttempts: 1, throwOnGiveUp: false);
assert_same(429, $client->get('http://a.test/')->status);
$response = $client->get('http://a.test/');
assert_between(20.0, 20.1, $response->attempts[0]->paced, 'paced');
assert_same([], RetryClient::stats()['keys'], 'stats() tells of real calls');
done();
?>
--EXPECT--
done
