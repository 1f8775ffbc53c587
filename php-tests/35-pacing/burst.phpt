--TEST--
limit '10/s burst 3': three at once, then one every 0.1 s, and the burst comes back with time
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

connect();
$url = script('a', [[]]);
$client = new RetryClient(limit: '10/s burst 3');
$paced = static fn() => $client->get($url)->attempts[0]->paced;
/** Requests take differently long to arrive, so the last of a burst is kept back a little. */
$at_once = static function (string $what) use ($paced): void {
    assert_same([0.0, 0.0], [$paced(), $paced()], "$what: two");
    assert_between(0.0, 0.06, $paced(), "$what: the third");
};
$at_once('at first');
for ($i = 0; $i < 3; $i++) {
    assert_between(0.03, 0.15, $paced(), "then number $i");
}
assert_spread('a', 6, 3, 0.1);
assert_between(0.29, 0.6, span_of('a'), 'all six');
usleep(350_000);
$at_once('after a pause');
assert_between(0.03, 0.15, $paced(), 'and no more than three');
done();
?>
--EXPECT--
done
