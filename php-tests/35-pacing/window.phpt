--TEST--
limit '3 per 500ms': at most three in any half second
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

connect();
$url = script('a', [[]]);
$client = new RetryClient(limit: '3 per 500ms');
for ($i = 0; $i < 8; $i++) {
    $paced[] = $client->get($url)->attempts[0]->paced;
    if ($i === 0) {
        usleep(200_000);    // a fixed window would let four go in the half second after this
    }
}
assert_same([0.0, 0.0, 0.0], array_slice($paced, 0, 3), 'the first three');
assert_spread('a', 8, 3, 0.5);
// 0, 0.2, 0.2, 0.5, 0.7, 0.7, 1.0, 1.2
assert_between(1.19, 1.5, span_of('a'), 'all eight');
done();
?>
--EXPECT--
done
