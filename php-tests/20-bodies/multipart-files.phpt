--TEST--
multipart sends streams from their position on, and again on the next attempt
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
file_put_contents("$folder/report.txt", '0123456789');
$file = fopen("$folder/report.txt", 'r');
fseek($file, 4);
$memory = fopen('php://memory', 'w+');
fwrite($memory, 'abcdef');
fseek($memory, 2);

$url = script('a', [['status' => 500], []]);
(new RetryClient(baseDelay: 0.0, jitter: 0.0))->post($url, multipart: [
    'file' => $file,
    'memory' => $memory,
    'renamed' => ['contents' => $file, 'filename' => 'r.csv', 'type' => 'text/csv'],
]);

[$first, $second] = received('a', 2);
assert_same(body_of($first), body_of($second), 'second attempt');
assert_same(header_of($first, 'Content-Type'), header_of($second, 'Content-Type'), 'boundary');
$parts = preg_split('/\r?\n?--' . preg_quote(explode('=', header_of($first, 'Content-Type'))[1]) . '(--)?\r\n/', body_of($first), -1, PREG_SPLIT_NO_EMPTY);
assert_same([
    "Content-Disposition: form-data; name=\"file\"; filename=\"report.txt\"\r\nContent-Type: application/octet-stream\r\n\r\n456789",
    "Content-Disposition: form-data; name=\"memory\"\r\n\r\ncdef",
    "Content-Disposition: form-data; name=\"renamed\"; filename=\"r.csv\"\r\nContent-Type: text/csv\r\n\r\n456789",
], $parts, 'parts');
assert_same([4, 2], [ftell($file), ftell($memory)], 'positions');
assert_same('456789', stream_get_contents($file), 'the file can still be read');
done();
?>
--EXPECT--
done
