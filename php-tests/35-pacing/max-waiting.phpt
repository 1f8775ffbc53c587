--TEST--
max_waiting: one more than may wait is told at once
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '1']]], []]);
(new RetryClient(maxAttempts: 1, throwOnGiveUp: false))->get("$url?key=secret", limitKey: $url);
$client = new RetryClient(throwOnGiveUp: false);
$run = static function (string $maxWaiting, string $url) use ($client): array {
    ini_set('retry_client.max_waiting', $maxWaiting);
    $outcomes = together(3, static fn() => outcome(static fn() => $client->get("$url?key=secret", limitKey: $url)));
    usort($outcomes, static fn($a, $b) => $a['seconds'] <=> $b['seconds']);
    return $outcomes;
};
$outcomes = $run('1', $url);
foreach ([0, 1] as $i) {
    ['thrown' => $class, 'message' => $message, 'retryAfter' => $retryAfter] = $outcomes[$i] + ['thrown' => null, 'message' => '', 'retryAfter' => 0.0];
    assert_same('RetryClient\RateLimitedException', $class, 'one too many');
    assert_between(0.0, 0.4, $outcomes[$i]['seconds'], 'at once');
    assert_between(0.5, 1.0, $retryAfter, 'retryAfter');
    assert_same([null, 0], [$outcomes[$i]['status'] ?? null, $outcomes[$i]['attempts'] ?? null], 'nothing was sent');
    assert_same(1, preg_match('~^GET ' . preg_quote($url) . ' was held back by its rate limit; it may be sent in (0\.\d+|1) seconds?$~D', $message), $message);
}
assert_same(200, $outcomes[2]['status'], 'the one that waits');
assert_between(0.6, 1.2, $outcomes[2]['seconds'], 'the one that waits');
assert_same(2, count(received('a')), 'requests');
assert_between(1.0, 1.3, gaps(received('a'))[0], 'gap');

// 0 and auto: as many as like, on the command line.
foreach (['0', 'auto'] as $maxWaiting) {
    $url = script("b$maxWaiting", [['status' => 429, 'headers' => [['Retry-After', '0.5']]], []]);
    (new RetryClient(maxAttempts: 1, throwOnGiveUp: false))->get($url, limitKey: $url);
    assert_same([200, 200, 200], array_column($run($maxWaiting, $url), 'status'), $maxWaiting);
}

// The turn under a limit is waited for by as many, too.
ini_set('retry_client.max_waiting', '1');
$client = new RetryClient(limit: '2/s', limitKey: 'c');
$url = script('c', [[]]);
$client->get($url);
$outcomes = together(2, static fn() => outcome(static fn() => $client->get($url)));
usort($outcomes, static fn($a, $b) => $a['seconds'] <=> $b['seconds']);
assert_same('RetryClient\RateLimitedException', $outcomes[0]['thrown'] ?? null, 'a limit');
assert_between(0.1, 0.51, $outcomes[0]['retryAfter'] ?? 0.0, 'until its turn');
assert_same(200, $outcomes[1]['status'] ?? null, 'a limit: the one that waits');
done();
?>
--EXPECT--
done
