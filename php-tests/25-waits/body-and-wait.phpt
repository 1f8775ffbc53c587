--TEST--
The body of a retried answer is read during the wait, and its connection used again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(jitter: 0.0, baseDelay: 0.3);
$response = $client->get(script('a', [['status' => 500, 'body' => str_repeat('x', 1000), 'body_delay_ms' => 150], ['body' => 'ok']]));
assert_between(0.3, 0.5, gaps(received('a', 2))[0], 'gap');
assert_same(1, count(array_unique(array_column(received('a'), 'connection'))), 'connections');

$client->get(script('b', [['action' => 'endless', 'status' => 500], ['body' => 'ok']]));
assert_between(0.3, 0.5, gaps(received('b', 2))[0], 'gap after an endless body');
assert_same(2, count(array_unique(array_column(received('b'), 'connection'))), 'the endless one is dropped');
done();
?>
--EXPECT--
done
