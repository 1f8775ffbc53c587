--TEST--
stream() retries until the first body byte
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Attempt, Reason, Response};

$log = [];
$client = new RetryClient(
    baseDelay: 0.1, jitter: 0.0, verify: server('ca'),
    onAttempt: static function ($request, int $attempt) use (&$log) { $log[] = "attempt $attempt"; return ['X-Attempt' => "$attempt"]; },
    onOutcome: static function (Attempt $attempt, ?Response $response) use (&$log) { $log[] = "outcome $attempt->status"; },
    onRetry: static function (Attempt $failed, float $wait) use (&$log) { $log[] = "retry $wait"; },
);
foreach (['http', 'h2'] as $on) {
    $cases = [
        'a status' => [['status' => 503, 'body' => 'busy'], '503'],
        'a wish' => [['status' => 429, 'headers' => [['Retry-After', '0.1']]], '429'],
        'no answer' => [['action' => 'drop'], ''],
        'a break before the first byte' => [$on === 'http' ? ['action' => 'half', 'body' => 'lost', 'send_bytes' => 0, 'body_delay_ms' => 50] : ['action' => 'half', 'body' => 'lost', 'send_bytes' => 0], ''],
    ];
    foreach ($cases as $what => [$bad, $status]) {
        $log = [];
        $begin = hrtime(true);
        $stream = $client->stream('GET', script('a', [$bad, chunks(['data: 1', "\n\n"], 50)], $on), limitKey: uniqid(more_entropy: true));
        assert_between(0.1, 0.6, (hrtime(true) - $begin) / 1e9, "$on, $what: seconds");
        assert_same([200, 2, 0.1, Reason::Answered], [$stream->status, count($stream->attempts), $stream->waited, $stream->attempts[1]->reason], "$on, $what");
        assert_same(['1'], array_map(static fn($event) => $event->data, iterator_to_array($stream->events())), "$on, $what: only of the last answer");
        assert_same(9, $stream->received(), "$on, $what: received");
        assert_same(['1', '2'], array_map(static fn($entry) => header_of($entry, 'X-Attempt'), received('a', 2)), "$on, $what: requests");
        assert_same(['attempt 1', "outcome $status", 'retry 0.1', 'attempt 2', 'outcome 200'], $log, "$on, $what: hooks");
    }
}
// A POST keeps its key and its body.
$stream = $client->stream('POST', script('b', [['status' => 500], ['body' => 'x']]), json: ['stream' => true], limitKey: 'b');
assert_same('x', implode('', iterator_to_array($stream)));
[$one, $two] = received('b', 2);
assert_same(['{"stream":true}', '{"stream":true}'], [body_of($one), body_of($two)]);
assert_true(header_of($one, 'Idempotency-Key') === header_of($two, 'Idempotency-Key') && is_string(header_of($one, 'Idempotency-Key')), 'Idempotency-Key');
done();
?>
--EXPECT--
done
