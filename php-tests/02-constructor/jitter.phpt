--TEST--
Jitter: up to 0.25 s unless given, at random, on top of every wait
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

/** The waits that 60 calls are told of; each stops there. */
function told(string $retryAfter, mixed ...$options): array
{
    $waits = [];
    $options['onRetry'] = static function ($attempt, float $wait) use (&$waits) { $waits[] = $wait; return false; };
    $options['throwOnGiveUp'] = false;
    $url = script('a', [['status' => 429, 'headers' => $retryAfter === '' ? [] : [['Retry-After', $retryAfter]]]]);
    $client = new RetryClient(...$options);
    for ($i = 0; $i < 60; $i++) {
        // An account each: one's refusal would hold the next call back.
        $client->get($url, headers: ['Authorization' => 'Bearer ' . bin2hex(random_bytes(8))]);
    }
    return $waits;
}

$waits = told('');
assert_between(0.5, 0.75, min($waits), 'least');
assert_between(0.5, 0.75, max($waits), 'most');
assert_true(max($waits) - min($waits) > 0.1, 'spread over the range');
assert_true(count(array_unique($waits)) > 50, 'all different');

$waits = told('3', jitter: 2);
assert_between(2.9, 5.0, min($waits), 'on top of the wish');
assert_true(max($waits) - min($waits) > 0.8, 'spread over the range');
assert_between(3.0, 5.0, max($waits), 'most');

assert_same([0.5], array_values(array_unique(told('', jitter: 0))), 'none');

// On a virtual clock there is none unless it is given.
$waits = [];
$note = static function ($attempt, float $wait) use (&$waits) { $waits[] = $wait; };
$answers = [...array_fill(0, 4, new Response(status: 500)), new Response()];
(new FakeClient($answers, jitter: 1, onRetry: $note, maxDelay: 0))->get('http://a.test/');
assert_same(4, count(array_filter($waits, static fn($wait) => $wait > 0 && $wait <= 1)), 'given to a FakeClient');
done();
?>
--EXPECT--
done
