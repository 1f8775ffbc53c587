--TEST--
limit '10/s': a request every 0.1 s, never before
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

connect();
$url = script('a', [[]]);
$client = new RetryClient(limit: '10/s');
for ($i = 0; $i < 6; $i++) {
    $response = $client->get($url);
    $attempts[] = $response->attempts[0];
    assert_between($response->attempts[0]->paced - 0.000001, $response->attempts[0]->paced + 0.000001, $response->waited, 'waited');
    assert_same([0.0, RetryClient\Reason::Answered], [$attempts[$i]->wait, $attempts[$i]->reason]);
}
assert_spread('a', 6, 1, 0.1);
assert_between(0.49, 0.8, span_of('a'), 'all six');
$paced = array_column($attempts, 'paced');
assert_same(0.0, $paced[0], 'the first is not held back');
for ($i = 1; $i < 6; $i++) {
    assert_between(0.03, 0.15, $paced[$i], "paced before $i");
    assert_between(0.09, 0.2, $attempts[$i]->startedAt - $attempts[$i - 1]->startedAt, "startedAt of $i");
}
// Who comes late enough does not wait.
usleep(150_000);
assert_same(0.0, $client->get($url)->waited, 'after a pause');
done();
?>
--EXPECT--
done
