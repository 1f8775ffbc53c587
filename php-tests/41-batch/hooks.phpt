--TEST--
Hooks in a batch: as in send()
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Attempt, Request, Response};

$log = [];
$client = new RetryClient(
    baseDelay: 0.1, jitter: 0.0,
    onAttempt: static function (Request $request, int $attempt) use (&$log) { $log[$request->limitKey][] = "attempt $attempt"; return ['X-Attempt' => "$attempt"]; },
    onRetry: static function (Attempt $failed, float $wait) use (&$retries) { $retries[] = $wait; },
    onOutcome: static function (Attempt $attempt, ?Response $response) use (&$outcomes) { $outcomes[] = $response?->status; },
);
$requests = [
    new Request('GET', script('a', [['status' => 503], ['body' => 'x']]), limitKey: 'a'),
    new Request('GET', script('b', [['body' => 'x']]), limitKey: 'b'),
    new Request('GET', script('c', [['status' => 500, 'times' => 2], ['body' => 'x']]), limitKey: 'c'),
];
assert_same(3, count(iterator_to_array($client->sendAll($requests))));
ksort($log);
sort($retries);
sort($outcomes);
assert_same(['a' => ['attempt 1', 'attempt 2'], 'b' => ['attempt 1'], 'c' => ['attempt 1', 'attempt 2', 'attempt 3']], $log, 'onAttempt');
assert_same([[0.1, 0.1, 0.2], [200, 200, 200, 500, 500, 503]], [$retries, $outcomes], 'onRetry, onOutcome');
assert_same(['1', '2', '3'], array_map(static fn($entry) => header_of($entry, 'X-Attempt'), received('c')), 'headers');

// false stops the one, not the others.
$requests = ['stopped' => apart(script('d', [['status' => 503]])), 'good' => apart(script('e', [['body' => 'x']]))];
$results = iterator_to_array((new RetryClient(onRetry: static fn() => false))->sendAll($requests));
ksort($results);
assert_same(['good' => Response::class, 'stopped' => RetryClient\AttemptsExhaustedException::class], array_map(get_debug_type(...), $results));
done();
?>
--EXPECT--
done
