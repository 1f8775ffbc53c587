--TEST--
Many children send at once
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

$url = script('a', [['body' => 'ok']], 'https');
$client = new RetryClient(verify: server('ca'), maxAttempts: 1);
$client->get($url);
$children = [];
for ($i = 0; $i < 6; $i++) {
    $children[] = child(function () use ($client, $url) {
        for ($j = 0; $j < 5; $j++) {
            assert_same('ok', $client->get($url)->body);
        }
    });
}
$client->get($url);
array_map(joined(...), $children);
$client->get($url);
assert_same(7, count(array_unique(array_column(received('a', 33), 'connection'))), 'connections');
done();
?>
--EXPECT--
done
