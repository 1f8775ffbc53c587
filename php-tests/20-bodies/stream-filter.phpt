--TEST--
A file that is read through a filter is sent filtered
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$path = folder() . '/body';
file_put_contents($path, 'Hello');
$file = fopen($path, 'r');
stream_filter_append($file, 'string.toupper', STREAM_FILTER_READ);
$memory = fopen('php://memory', 'w+');
fwrite($memory, 'Hello');
rewind($memory);
stream_filter_append($memory, 'string.rot13', STREAM_FILTER_READ);

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$client->post(script('a', [['status' => 503], []]), body: $file);
$client->post(script('b', [['status' => 503], []]), body: $memory);
assert_same(['HELLO', 'HELLO'], array_map(body_of(...), received('a', 2)), 'file');
assert_same(['Uryyb', 'Uryyb'], array_map(body_of(...), received('b', 2)), 'memory');
done();
?>
--EXPECT--
done
