--TEST--
FakeClient: five 429s take no time, with the waits of a real call
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{AttemptsExhaustedException, FakeClient, Reason, Response};

$client = new FakeClient(array_fill(0, 5, new Response(status: 429)));
$took = seconds(static fn() => $client->post('https://a.test/chat', json: ['x' => 1]), $thrown);
$slow = getenv('USE_ZEND_ALLOC') === '0' ? 200 : 1;    // under valgrind
assert_between(0.0, 0.05 * $slow, $took, 'seconds');
assert_same(AttemptsExhaustedException::class, $thrown::class);
assert_same([0.5, 1.0, 2.0, 4.0, 0.0], array_column($thrown->attempts, 'wait'));
assert_same([429, 429, 429, 429, 429], array_column($thrown->attempts, 'status'));
assert_same([Reason::Backoff, Reason::Backoff, Reason::Backoff, Reason::Backoff, Reason::AttemptsExhausted], array_column($thrown->attempts, 'reason'));
assert_same([0.0], array_values(array_unique(array_column($thrown->attempts, 'paced'))));
assert_same([0.0], array_values(array_unique(array_column($thrown->attempts, 'duration'))));
assert_same([7.5, 7.5], [$thrown->response->waited, $thrown->response->elapsed]);
assert_same(5, count($client->requests()));
// The attempts began as far apart as they waited.
$begun = array_column($thrown->attempts, 'startedAt');
assert_between(microtime(true) - 5, microtime(true) + 5, $begun[0], 'begins now');
foreach ([0.5, 1.5, 3.5, 7.5] as $number => $later) {
    assert_between($later - 0.001, $later + 0.001, $begun[$number + 1] - $begun[0], 'startedAt');
}

// Two hundred calls of a thousand seconds each.
$took = seconds(static function () {
    for ($i = 0; $i < 200; $i++) {
        $answers = [new Response(status: 503, headers: ['Retry-After' => '1000']), new Response()];
        assert_same(1000.0, (new FakeClient($answers, maxRetryAfter: 9999))->get('http://a.test/')->waited);
    }
});
assert_between(0.0, 1.0 * $slow, $took, 'seconds for all');
done();
?>
--EXPECT--
done
