--TEST--
A Retry-After that one call met holds back the later ones of the same process
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.6']]], []]);
$once = new RetryClient(maxAttempts: 1, throwOnGiveUp: false);
assert_same(429, $once->get($url)->status, 'the refused one');
$seconds = seconds(fn() => (new RetryClient(maxAttempts: 1))->get($url), $response);
assert_same(200, $response->status, 'the next, of another object');
assert_between(0.6, 0.9, gaps(received('a', 2))[0], 'gap');
[$attempt] = $response->attempts;
assert_between(0.3, 0.8, $attempt->paced, 'paced');
assert_same(0.0, $attempt->wait, 'wait');
assert_between($attempt->paced - 0.000001, $attempt->paced + 0.000001, $response->waited, 'waited');
assert_between(0.0, 0.6, seconds(fn() => (new RetryClient())->get($url)), 'an answer opens it; the next ones are paced');
done();
?>
--EXPECT--
done
