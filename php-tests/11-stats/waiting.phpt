--TEST--
stats(): how many wait
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.8']]], []]);
$client = new RetryClient(maxAttempts: 1, throwOnGiveUp: false);
$client->get($url);
$waiting = together(3, function (int $number) use ($client, $url) {
    if ($number === 0) {
        usleep(400_000);
        return key_of(null)['waiting'];
    }
    return $client->get($url)->status;
});
assert_same([2, 200, 200], $waiting);
assert_same(0, key_of(null)['waiting'], 'afterwards');
assert_between(0.8, 4.0, key_of(null)['held'], 'held: both together');
done();
?>
--EXPECT--
done
