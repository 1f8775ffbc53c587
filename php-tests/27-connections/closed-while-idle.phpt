--TEST--
A connection that the server has closed meanwhile is not used: 25 times without a failure
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body' => 'x', 'close_idle_after_ms' => 0]]);
$client = new RetryClient(maxAttempts: 1);
for ($i = 0; $i < 25; $i++) {
    assert_same('x', $client->post($url, body: 'y')->body, "call $i");
    // The server's end of the connection is closed when the server says so.
    while (control('GET', '/_stats')['listeners']['http']['open'] > 0 && hrtime(true) < ($until ??= hrtime(true) + 30e9)) {
        usleep(1000);
    }
}
assert_same(25, count(array_unique(array_column(received('a', 25), 'connection'))), 'connections');
done();
?>
--EXPECT--
done
