--TEST--
What a call throws has the caller's file, line and trace, the attempts, and a code
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient as R;

function fetch(R\ClientInterface $client, string $url): R\Response
{
    return $client->get($url);
}
$checked = static function (R\Exception $e, int $code, array $reasons): void {
    assert_same([__FILE__, 8], [$e->getFile(), $e->getLine()], 'place');
    $trace = $e->getTrace();
    assert_same(['get', 'fetch'], [$trace[0]['function'], $trace[1]['function']], 'trace');
    assert_same($code, $e->getCode(), 'code');
    assert_same($reasons, array_map(static fn($attempt) => $attempt->reason, $e->attempts), 'reasons');
    assert_same(range(1, count($reasons)), array_column($e->attempts, 'number'), 'numbers');
};

// The real client.
$url = script('a', [['status' => 503]]);
$client = new RetryClient(maxAttempts: 2, baseDelay: 0.01, jitter: 0);
$e = thrown_by(static fn() => fetch($client, $url), R\AttemptsExhaustedException::class);
$checked($e, 503, [R\Reason::Backoff, R\Reason::AttemptsExhausted]);
assert_same([503, $e->attempts], [$e->response->status, $e->response->attempts]);
assert_same("GET $url answered 503 Service Unavailable after 2 attempts", $e->getMessage());

$e = thrown_by(static fn() => fetch($client, server('refused') . '/x?y'), R\NetworkException::class);
$checked($e, 0, [R\Reason::Network, R\Reason::AttemptsExhausted]);
assert_same('connect', $e->kind);
assert_same([null, null], array_column($e->attempts, 'status'));
assert_contains('GET ' . server('refused') . '/x got no response after 2 attempts: Could not connect to ' . server('refused'), $e->getMessage());
assert_contains('Could not connect to ' . server('refused'), $e->attempts[0]->error);

$e = thrown_by(static fn() => fetch($client->with(throwOnError: true), script('b', [['status' => 404, 'reason' => 'Gone fishing']])), R\HttpException::class);
$checked($e, 404, [R\Reason::Answered]);
assert_same(R\HttpException::class, $e::class);
assert_same('GET ' . server('http') . '/' . script_name('b') . ' answered 404 Gone fishing', $e->getMessage());

$slow = script('c', [['status' => 429, 'headers' => [['Retry-After', '50']]]]);
$e = thrown_by(static fn() => fetch($client->with(budget: 5), $slow), R\BudgetExceededException::class);
$checked($e, 0, [R\Reason::BudgetExceeded]);
assert_same([50.0, 429], [$e->retryAfter, $e->response->status]);
assert_between(49.0, 50.0, $e->needed, 'needed');
assert_between(4.0, 5.0, $e->left, 'left');
assert_same(null, $e->getPrevious());
assert_true(preg_match('~^GET \S+ answered 429 Too Many Requests; the next attempt is due in [\d.]+ seconds, with [\d.]+ seconds left$~', $e->getMessage()) === 1, $e->getMessage());

$e = thrown_by(static fn() => fetch($client->with(budget: 0.05, limitKey: 'd'), script('d', [['action' => 'stall']])), R\BudgetExceededException::class);
$checked($e, 0, [R\Reason::BudgetExceeded]);
assert_same([0.0, 0.0, null, null], [$e->needed, $e->left, $e->retryAfter, $e->response]);
assert_true($e->getPrevious() instanceof R\NetworkException && $e->getPrevious()->kind === 'timeout', 'its previous is the timeout');
assert_same('GET ' . server('http') . '/' . script_name('d') . ' was cut off by its deadline', $e->getMessage());
done();
?>
--EXPECT--
done
