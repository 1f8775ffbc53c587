--TEST--
A retry is sent when it is due, never before and hardly later
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 40, baseDelay: 0.02, multiplier: 1.0, jitter: 0.0);
$response = $client->get(script('a', [['status' => 500, 'times' => 39], []]));
$late = [];
for ($i = 1; $i < 40; $i++) {
    [$before, $after] = [$response->attempts[$i - 1], $response->attempts[$i]];
    $late[] = $after->startedAt - ($before->startedAt + $before->duration + $before->wait);
}
foreach (gaps(received('a', 40)) as $n => $gap) {
    assert_true($gap >= 0.02, "attempt $n was sent too early: $gap");
}
sort($late);
assert_between(-0.001, 0.004, $late[19], 'median lateness');
done();
?>
--EXPECT--
done
