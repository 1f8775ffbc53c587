--TEST--
The attempts tell what happened, and what came next
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.02, multiplier: 2.0, jitter: 0.0);
$response = $client->get(script('a', [['status' => 500], ['action' => 'drop'], ['status' => 429, 'headers' => [['retry-after-ms', '30']]], ['body' => 'ok']]));
$tell = fn(RetryClient\Attempt $a) => [$a->number, $a->status, $a->error !== null, $a->wait, $a->reason->value];
assert_same([
    [1, 500, false, 0.02, 'backoff'],
    [2, null, true, 0.04, 'network'],
    [3, 429, false, 0.03, 'retry-after'],
    [4, 200, false, 0.0, 'answered'],
], array_map($tell, $response->attempts), 'attempts');
assert_between(0.0899, 0.0901, $response->waited, 'waited');
assert_same(4, count(received('a')), 'requests');
for ($i = 1; $i < 4; $i++) {
    [$before, $after] = [$response->attempts[$i - 1], $response->attempts[$i]];
    assert_between($before->startedAt + $before->duration + $before->wait - 0.001, $after->startedAt + 0.001, $after->startedAt, "attempt $i starts after the wait");
}
done();
?>
--EXPECT--
done
