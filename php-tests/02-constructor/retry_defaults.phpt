--TEST--
What the defaults of the retry options do
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{AttemptsExhaustedException, FakeClient, NetworkException, Response};

/** The waits of a call that meets these answers. */
function waits(array $answers, string $method = 'GET', mixed ...$options): array
{
    $waits = [];
    $options['onRetry'] = static function ($attempt, float $wait) use (&$waits) { $waits[] = $wait; };
    try {
        (new FakeClient($answers, ...$options))->send($method, 'http://a.test/');
    } catch (RetryClient\Exception) {
    }
    return $waits;
}
$status = static fn(int $status, string|array $after = []) => new Response(status: $status, headers: ['Retry-After' => $after]);

// maxAttempts, baseDelay, multiplier.
assert_same([0.5, 1.0, 2.0, 4.0], waits(array_fill(0, 9, $status(500))), 'backoff');
// maxDelay.
assert_same([16.0, 30.0, 30.0], array_slice(waits(array_fill(0, 9, $status(500)), maxAttempts: 9), 5), 'maxDelay');
// maxRetryAfter.
assert_same([7.0, 30.0], waits([$status(429, '7'), $status(429, '31'), $status(200)]), 'maxRetryAfter');

// retryOn.
foreach ([429, 500, 502, 503, 529, 599] as $code) {
    assert_same([0.5], waits([$status($code), $status(200)]), "$code");
}
foreach ([200, 304, 400, 401, 404, 408, 409, 425, 428, 430, 499, 600, 999] as $code) {
    assert_same([], waits([$status($code)]), "$code");
}

// retryUnsafe: a POST that may have arrived is not sent again.
$reset = new NetworkException('gone', kind: 'reset');
assert_same([0.5], waits([$reset, $status(200)], 'GET'), 'GET');
assert_same([], waits([$reset, $status(200)], 'POST'), 'POST');
// One that did not is.
assert_same([0.5], waits([new NetworkException('gone', kind: 'connect'), $status(200)], 'POST'), 'unsent POST');

// idempotencyKey.
$client = new FakeClient([$status(500), $status(200), $status(200), $status(200)]);
$client->post('http://a.test/');
[$first, $second] = array_map(static fn($request) => $request->headers['idempotency-key'][0], $client->requests());
assert_true(preg_match('/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/', $first) === 1, "UUIDv7: $first");
assert_same($first, $second, 'the same on both attempts');
$client->get('http://a.test/');
assert_same(false, isset($client->requests()[2]->headers['idempotency-key']), 'a GET has none');
$client->post('http://a.test/');
assert_true($client->requests()[3]->headers['idempotency-key'][0] !== $first, 'another call, another key');

// throwOnGiveUp, throwOnError, budget.
thrown_by(static fn() => (new FakeClient(array_fill(0, 5, $status(500))))->get('http://a.test/'), AttemptsExhaustedException::class);
assert_same(404, (new FakeClient([$status(404)]))->get('http://a.test/')->status, 'a 404 is an answer');
assert_same(30.0 * 4, array_sum(waits(array_fill(0, 5, $status(429, '9999')))), 'no budget');

// maxRedirects.
$redirect = new Response(status: 302, headers: ['Location' => '/next']);
assert_same(200, (new FakeClient([...array_fill(0, 5, $redirect), $status(200)]))->get('http://a.test/')->status, '5 redirects');
$failure = thrown_by(static fn() => (new FakeClient(array_fill(0, 6, $redirect)))->get('http://a.test/'), NetworkException::class);
assert_same('redirect', $failure->kind, '6 redirects');
done();
?>
--EXPECT--
done
