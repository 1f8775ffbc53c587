--TEST--
Hooks of a started call run while PHP waits, in their order
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Attempt, Request, Response};

$log = [];
$client = new RetryClient(
    baseDelay: 0.05, jitter: 0.0,
    onAttempt: static function (Request $request, int $attempt) use (&$log) { $log[] = "attempt $attempt"; return ['X-Attempt' => (string) $attempt]; },
    onOutcome: static function (Attempt $attempt, ?Response $response) use (&$log) { $log[] = "outcome $response?->status"; },
    onRetry: static function (Attempt $failed, float $wait) use (&$log) { $log[] = "retry $wait"; },
);
$expected = ['attempt 1', 'outcome 503', 'retry 0.05', 'attempt 2', 'outcome 200'];
$waits = [
    'wait' => static fn($pending) => $pending->wait(),
    'poll' => static function ($pending) { poll_until(static fn() => $pending->done(), $pending); },
    'send' => static fn() => (new RetryClient())->get(server('http') . '/delay/400'),
    'stream' => static fn() => iterator_to_array((new RetryClient())->stream('GET', server('http') . '/drip/8?every=50')),
    'sendAll' => static fn() => iterator_to_array((new RetryClient())->sendAll([new Request('GET', server('http') . '/delay/400')])),
];
foreach ($waits as $what => $wait) {
    $log = [];
    $pending = $client->start(apart(script('a', [['status' => 503], ['body' => 'ok']])));
    $wait($pending);
    assert_same([true, $expected], [$pending->done(), $log], "in $what()");
    assert_same(['1', '2'], array_map(static fn($entry) => header_of($entry, 'X-Attempt'), received('a')), "in $what(): headers");
    assert_same('ok', $pending->wait()->body, $what);
}
// false stops.
$pending = $client->with(onRetry: static fn() => false)->start(apart(script('b', [['status' => 503]])));
assert_same(503, thrown_by(static fn() => $pending->wait(), RetryClient\AttemptsExhaustedException::class)?->response->status);
done();
?>
--EXPECT--
done
