--TEST--
The default waits are 0.5, 1, 2 and 4 s, plus up to 0.25 s each
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$waits = [];
$client = new RetryClient();
$client = new RetryClient\FakeClient(array_fill(0, 5, new RetryClient\Response(503)), jitter: 0.25, throwOnGiveUp: false);
$waits = array_map(fn($a) => $a->wait, $client->get('http://localhost/')->attempts);
foreach ([0.5, 1.0, 2.0, 4.0] as $n => $least) {
    assert_between($least, $least + 0.25, $waits[$n], "wait $n");
}
assert_same([5, 0.0], [count($waits), $waits[4]], 'attempts, and no wait after the last');
done();
?>
--EXPECT--
done
