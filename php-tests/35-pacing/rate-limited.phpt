--TEST--
A gate that stays shut for all waits of a call: RateLimitedException
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

// Always refused, and longer than a call waits: of those who have waited one is sent, and finds out for all.
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '30']]]]);
$client = new RetryClient(maxAttempts: 1, maxRetryAfter: 0.5, baseDelay: 0.1, jitter: 0.0, limitKey: 'a');
thrown_by(static fn() => $client->get($url), RetryClient\AttemptsExhaustedException::class);
$outcomes = together(4, static fn() => outcome(static fn() => $client->get($url)));
$classes = array_count_values(array_column($outcomes, 'thrown'));
assert_same(1, $classes['RetryClient\AttemptsExhaustedException'] ?? 0, 'one goes ahead');
assert_same(3, $classes['RetryClient\RateLimitedException'] ?? 0, 'the others never sent');
foreach ($outcomes as $outcome) {
    if ($outcome['thrown'] === 'RetryClient\RateLimitedException') {
        assert_same([null, 0], [$outcome['status'], $outcome['attempts']], 'response and attempts');
        assert_between(28.0, 30.0, $outcome['retryAfter'], 'retryAfter');
        assert_contains(' was held back by its rate limit; it may be sent in ', $outcome['message']);
    }
    assert_between(0.4, 0.9, $outcome['seconds'], 'seconds');
}
assert_same(2, count(received('a')), 'requests');

// Two waits each: two rounds.
$url = script('b', [['status' => 429, 'headers' => [['Retry-After', '30']]]]);
$client = $client->with(limitKey: 'b');
thrown_by(static fn() => $client->get($url), RetryClient\AttemptsExhaustedException::class);
$outcomes = together(3, static fn() => outcome(static fn() => $client->with(maxAttempts: 2)->get($url)));
assert_between(3, 5, count(received('b')), 'requests');
foreach ($outcomes as $outcome) {
    assert_between(0.9, 2.5, $outcome['seconds'], 'seconds');
    assert_true(in_array($outcome['thrown'], ['RetryClient\AttemptsExhaustedException', 'RetryClient\RateLimitedException'], true), $outcome['thrown']);
}

// With throwOnGiveUp: false the last response is handed back, if there is one.
$url = script('c', [['status' => 429, 'headers' => [['Retry-After', '30']]]]);
$client = $client->with(limitKey: 'c', throwOnGiveUp: false);
assert_same(429, $client->get($url)->status);
foreach (together(3, static fn() => outcome(static fn() => $client->get($url))) as $outcome) {
    isset($outcome['thrown'])
        ? assert_same(['RetryClient\RateLimitedException', null], [$outcome['thrown'], $outcome['status']])
        : assert_same(429, $outcome['status']);
}
done();
?>
--EXPECT--
done
