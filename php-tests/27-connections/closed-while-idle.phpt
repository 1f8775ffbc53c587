--TEST--
A connection that the server has closed meanwhile is not used: 25 times without a failure
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

/** Whether a connection of this process is open at both ends. */
function is_connected(): bool
{
    $own = [];
    foreach (scandir('/proc/self/fd') as $fd) {
        if (preg_match('/^socket:\[(\d+)\]$/', (string) @readlink("/proc/self/fd/$fd"), $m)) {
            $own[$m[1]] = true;
        }
    }
    foreach (file('/proc/net/tcp') as $line) {
        $fields = preg_split('/\s+/', trim($line));
        if ($fields[3] === '01' && isset($own[$fields[9]])) {
            return true;
        }
    }
    return false;
}

$url = script('a', [['body' => 'x', 'close_idle_after_ms' => 0]]);
$client = new RetryClient(maxAttempts: 1);
for ($i = 0; $i < 25; $i++) {
    assert_same('x', $client->post($url, body: 'y')->body, "call $i");
    for ($until = hrtime(true) + 10e9; is_connected() && hrtime(true) < $until;) {
        usleep(200);
    }
}
assert_same(25, count(array_unique(array_column(received('a', 25), 'connection'))), 'connections');
done();
?>
--EXPECT--
done
