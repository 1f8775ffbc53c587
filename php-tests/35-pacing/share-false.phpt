--TEST--
share: false knows nothing of the others, and tells them nothing
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$url = script('a', [[]]);
$shared = new RetryClient(limit: '1/s');
$alone = $shared->with(share: false);
$paced = static fn(RetryClient $client) => $client->get($url)->attempts[0]->paced;
assert_same([0.0, 0.0], [$paced($shared), $paced($alone)], 'apart in one process');
[[$inChild, $again]] = together(1, static fn() => [$paced($alone), $paced($alone)]);
assert_same(0.0, $inChild, 'a child does not know');
assert_between(0.8, 1.2, $again, 'but its own calls count');
[$inChild] = together(1, static fn() => $paced($shared));
assert_same(0.0, $inChild, 'meanwhile the shared one is free again');
assert_between(0.5, 1.3, $paced($shared), 'a child that shares does know');

// A Retry-After.
$refusing = script('b', [['status' => 429, 'headers' => [['Retry-After', '0.5']]], []]);
$client = new RetryClient(maxAttempts: 1, throwOnGiveUp: false);
assert_same(429, $client->with(share: false)->get($refusing)->status);
assert_same(0.0, $client->get($refusing)->attempts[0]->paced, 'not told');
done();
?>
--EXPECT--
done
