--TEST--
Failures are results like others, and the rest goes on
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{AttemptsExhaustedException, BudgetExceededException, HttpException, NetworkException, RateLimitedException, Request, Response};

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.05, jitter: 0.0, budget: 0.6, throwOnError: true);
$base = server('http');
$requests = [
    'good' => apart("$base/status/200"),
    'refused' => apart(server('refused')),
    'given up' => apart(script('a', [['status' => 503, 'body' => 'busy']])),
    'not found' => apart("$base/status/404"),
    'stalled' => apart("$base/stall"),
    'too late' => apart("$base/status/429?retry-after=60"),
    'broken' => apart("$base/half/100"),
    'loop' => apart("$base/redirect-loop"),
    'good too' => apart("$base/delay/300"),
    'good after all' => apart(script('b', [['status' => 500], ['status' => 201]])),
];
$results = [];
foreach ($client->sendAll($requests, 3) as $key => $result) {
    assert_same(false, isset($results[$key]), "$key: once");
    $results[$key] = $result;
}
$expected = [
    'good' => Response::class, 'refused' => NetworkException::class, 'given up' => AttemptsExhaustedException::class, 'not found' => HttpException::class,
    'stalled' => BudgetExceededException::class, 'too late' => BudgetExceededException::class, 'broken' => NetworkException::class, 'loop' => NetworkException::class,
    'good too' => Response::class, 'good after all' => Response::class,
];
assert_same($expected, array_replace($expected, array_map(get_debug_type(...), $results)), 'classes');
assert_same(count($requests), count($results), 'results');
assert_same([2, 'busy'], [count($results['given up']->attempts), $results['given up']->response->body], 'given up');
assert_same(['connect', 'reset', 'redirect'], [$results['refused']->kind, $results['broken']->kind, $results['loop']->kind], 'kinds');
assert_same([60.0, 404, 201, 2], [$results['too late']->retryAfter, $results['not found']->response->status, $results['good after all']->status, count($results['good after all']->attempts)]);
// They are as thrown ones are: they know where, and can be thrown.
assert_same([__FILE__, true], [$results['refused']->getFile(), $results['refused']->getLine() > 0], 'file and line');
assert_true(thrown_by(static fn() => throw $results['refused']) === $results['refused'], 'thrown later');

// throwOnGiveUp: false hands back the last response here as well.
$results = iterator_to_array($client->with(throwOnGiveUp: false, throwOnError: false)->sendAll([apart("$base/status/503")]));
assert_same([503, 2], [$results[0]->status, count($results[0]->attempts)]);
assert_same([2, 2], [count(received('a')), count(received('b'))], 'requests');
done();
?>
--EXPECT--
done
