--TEST--
A stream at its end is an empty body
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$stream = fopen('php://memory', 'w+');
fwrite($stream, 'x');
$file = tmpfile();
fwrite($file, 'x');

$url = script('a', [[]]);
$client = new RetryClient();
$client->post($url, body: $stream);
$client->post($url, body: $file);
fseek($file, 10);
$client->post($url, body: $file);
foreach (received('a', 3) as $entry) {
    assert_same(['0', ''], [header_of($entry, 'Content-Length'), body_of($entry)], 'length and body');
}
assert_same(10, ftell($file), 'position behind the end');
done();
?>
--EXPECT--
done
