--TEST--
stream(): statuses, giving up and failures before the first byte, as in send()
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{AttemptsExhaustedException, BudgetExceededException, HttpException, NetworkException};

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.05, jitter: 0.0);
$key = static fn() => uniqid(more_entropy: true);

// A status that is an answer is one.
$stream = $client->stream('GET', script('a', [['status' => 404, 'body' => 'no such']]));
assert_same([404, false, 'no such'], [$stream->status, $stream->ok(), implode('', iterator_to_array($stream))]);
$thrown = thrown_by(static fn() => $client->with(throwOnError: true)->stream('GET', script('a', [['status' => 404, 'body' => 'no such']])), HttpException::class);
assert_same([404, 'no such', 1], [$thrown?->response->status, $thrown->response->body, count($thrown->attempts)], 'throwOnError');

// Given up.
$thrown = thrown_by(static fn() => $client->stream('POST', script('b', [['status' => 529, 'body' => 'busy']]), limitKey: $key()), AttemptsExhaustedException::class);
assert_same([529, 'busy', 2, 2], [$thrown?->response->status, $thrown->response->body, count($thrown->attempts), count(received('b'))], 'given up');
$stream = $client->with(throwOnGiveUp: false)->stream('GET', script('c', [['status' => 503, 'body' => 'last']]), limitKey: $key());
assert_same([503, 'last', 'attempts-exhausted'], [$stream->status, implode('', iterator_to_array($stream)), $stream->attempts[1]->reason->value], 'throwOnGiveUp: false');
$thrown = thrown_by(static fn() => $client->with(onRetry: static fn() => false)->stream('GET', script('d', [['status' => 503]]), limitKey: $key()), AttemptsExhaustedException::class);
assert_same(1, count($thrown->attempts ?? []), 'onRetry stops');

// No answer.
$thrown = thrown_by(static fn() => $client->stream('GET', server('refused')), NetworkException::class);
assert_same(['connect', 2], [$thrown?->kind, count($thrown->attempts)]);
$thrown = thrown_by(static fn() => $client->stream('POST', script('e', [['action' => 'drop']])), NetworkException::class);
assert_same(['reset', 1], [$thrown?->kind, count($thrown->attempts)], 'a POST whose outcome is unknown');

// A wish that does not fit the budget.
$thrown = thrown_by(static fn() => $client->with(budget: 5.0)->stream('GET', script('f', [['status' => 429, 'headers' => [['Retry-After', '60']]]]), limitKey: $key()), BudgetExceededException::class);
assert_same([60.0, 429], [$thrown?->retryAfter, $thrown->response?->status]);

// What a hook throws.
$bad = new DomainException('from a hook');
assert_true(thrown_by(static fn() => $client->with(onAttempt: static fn() => throw $bad)->stream('GET', script('g', [[]]))) === $bad, 'a hook');
assert_same(0, count(received('g')), 'requests');
done();
?>
--EXPECT--
done
