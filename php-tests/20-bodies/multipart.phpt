--TEST--
multipart sends fields and files in the form of RFC 7578
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
(new RetryClient())->post($url, ['Content-Type' => 'multipart/form-data; boundary=mine'], multipart: [
    'name' => 'Käse',
    'n' => 5,
    'tags' => ['a', 'b'],
    'typed' => ['contents' => '{}', 'type' => 'application/json'],
    'file' => ['contents' => "\0\r\n--\xff", 'filename' => "a\"b\r\n.png", 'type' => 'image/png'],
    'plain' => ['contents' => 'x', 'filename' => 'x.bin'],
    7 => '',
    "quo\"te" => 'q',
]);

[$entry] = received('a', 1);
assert_same(1, preg_match('~^multipart/form-data; boundary=([A-Za-z0-9_-]{20,70})$~', header_of($entry, 'Content-Type'), $m), 'type');
$part = fn(string $disposition, string $contents, string $type = '') => "--$m[1]\r\nContent-Disposition: form-data; $disposition\r\n"
    . ($type ? "Content-Type: $type\r\n" : '') . "\r\n$contents\r\n";
$expected = $part('name="name"', 'Käse') . $part('name="n"', '5') . $part('name="tags"', 'a') . $part('name="tags"', 'b')
    . $part('name="typed"', '{}', 'application/json')
    . $part('name="file"; filename="a%22b%0D%0A.png"', "\0\r\n--\xff", 'image/png')
    . $part('name="plain"; filename="x.bin"', 'x', 'application/octet-stream')
    . $part('name="7"', '') . $part('name="quo%22te"', 'q') . "--$m[1]--\r\n";
assert_same($expected, body_of($entry), 'body');
assert_same((string) strlen($expected), header_of($entry, 'Content-Length'), 'length');
done();
?>
--EXPECT--
done
