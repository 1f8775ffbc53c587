--TEST--
limits combined by commas: the slowest counts
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

connect();
$url = script('a', [[]]);
$client = new RetryClient(limit: '20/s burst 2, 4 per 600ms, 5 at once');
for ($i = 0; $i < 6; $i++) {
    $client->get($url);
}
assert_spread('a', 6, 2, 0.05);
assert_spread('a', 6, 4, 0.6);
assert_between(0.59, 0.9, span_of('a'), 'all six');
done();
?>
--EXPECT--
done
