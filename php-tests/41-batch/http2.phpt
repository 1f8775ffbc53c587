--TEST--
HTTP/2: a batch goes over one connection
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(verify: server('ca'), baseDelay: 0.05, jitter: 0.0);
$url = counting('a', 100, 'h2');
assert_same('2', $client->get("$url&n=first")->protocol);
$begin = hrtime(true);
$results = iterator_to_array($client->sendAll(array_map(static fn(int $i) => new Request('GET', "$url&n=$i"), range(1, 40)), 20));
assert_same(array_fill(0, 40, 200), array_map(static fn($response) => $response->status, array_values($results)));
assert_between(0.2, 1.2, (hrtime(true) - $begin) / 1e9, 'two rounds of 0.1 s');
assert_same([20, 1], [counted('a')['max_in_flight'], count(array_unique(array_column(received('a', 41), 'connection')))], 'at once, connections');

// One that fails or is dropped disturbs no other on its connection.
$requests = ['reset' => apart(script('b', [['action' => 'refuse_stream', 'error_code' => 'INTERNAL_ERROR'], ['body' => 'b']], 'h2')), 'slow' => apart(script('c', [['body' => 'c', 'delay_ms' => 300]], 'h2'))];
$bodies = array_map(static fn($response) => $response->body, iterator_to_array($client->sendAll($requests)));
ksort($bodies);
assert_same(['reset' => 'b', 'slow' => 'c'], $bodies);
foreach ($client->sendAll(['quick' => apart(script('d', [['body' => 'd', 'delay_ms' => 100]], 'h2')), 'stalled' => apart(script('e', [['action' => 'stall']], 'h2'))]) as $response) {
    break;
}
unset($response);
abandoned('e', 1);
$client->get("$url&n=last");
assert_same(1, count(array_unique(array_column([...received('a'), ...received('b'), ...received('c'), ...received('d')], 'connection'))), 'connections at the end');
done();
?>
--EXPECT--
done
