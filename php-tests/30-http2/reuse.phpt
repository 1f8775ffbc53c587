--TEST--
One connection serves all calls
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body' => 'x'], ['status' => 503], ['body' => 'y']], 'h2');
$client = new RetryClient(verify: server('ca'), baseDelay: 0.0, jitter: 0.0);
for ($i = 0; $i < 10; $i++) {
    $client->get($url);
}
assert_same(1, count(array_unique(array_column(received('a', 11), 'connection'))));
done();
?>
--EXPECT--
done
