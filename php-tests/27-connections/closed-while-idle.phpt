--TEST--
A connection that the server has closed meanwhile is not used: 25 times without a failure
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

/** @return list<string> the connections of this process that are open at both ends */
function connected(): array
{
    $own = [];
    foreach (scandir('/proc/self/fd') as $fd) {
        if (preg_match('/^socket:\[(\d+)\]$/', (string) @readlink("/proc/self/fd/$fd"), $m)) {
            $own[] = $m[1];
        }
    }
    $established = array_filter(array_map(fn($line) => preg_split('/\s+/', trim($line)), file('/proc/net/tcp')), fn($fields) => $fields[3] === '01');
    return array_intersect($own, array_column($established, 9));
}

$inherited = connected();
$url = script('a', [['body' => 'x', 'close_idle_after_ms' => 0]]);
$client = new RetryClient(maxAttempts: 1);
for ($i = 0; $i < 25; $i++) {
    assert_same('x', $client->post($url, body: 'y')->body, "call $i");
    for ($until = hrtime(true) + 10e9; array_diff(connected(), $inherited) && hrtime(true) < $until;) {
        usleep(200);
    }
}
assert_same(25, count(array_unique(array_column(received('a', 25), 'connection'))), 'connections');
done();
?>
--EXPECT--
done
