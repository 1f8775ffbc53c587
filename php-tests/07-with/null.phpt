--TEST--
with(): an explicit null takes an option back
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$hooks = 0;
$count = static function () use (&$hooks) { $hooks++; };
$fake = new FakeClient(
    static fn() => new Response(status: 503),
    baseUri: 'http://a.test', budget: 10, baseDelay: 20, userAgent: 'me', limit: '40/min', onRetry: $count, onAttempt: $count, onOutcome: $count, throwOnGiveUp: false, maxAttempts: 2,
);
assert_same(0.0, $fake->get('x')->waited, 'a wait of 20 s does not fit');
assert_same(20.0, $fake->with(budget: null)->get('x')->attempts[0]->wait, 'budget');
assert_throws(
    ValueError::class,
    'RetryClient\FakeClient::get(): Argument #1 ($uri) must be an absolute http or https URI when there is no base URI',
    static fn() => $fake->with(baseUri: null)->get('x'),
);
$fake->with(userAgent: null)->get('x');
$sent = $fake->requests();
assert_contains('retry_client/', end($sent)->headers['user-agent'][0], 'userAgent');
assert_same(503, $fake->with(limit: null)->get('x', cost: 5)->status, 'limit');
assert_true($hooks > 0, 'hooks');

$hooks = 0;
$fake->with(onRetry: null, onAttempt: null, onOutcome: null)->get('x');
assert_same(0, $hooks, 'hooks');
assert_throws(TypeError::class, 'RetryClient::__construct(): Argument #3 ($maxAttempts) must be of type int, null given', static fn() => $fake->with(maxAttempts: null));
done();
?>
--EXPECT--
done
