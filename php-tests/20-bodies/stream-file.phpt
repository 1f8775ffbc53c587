--TEST--
A file is sent from its position on, again on the next attempt, and left where it was
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$path = folder() . '/body';
file_put_contents($path, str_repeat('0123456789', 20_000));
$file = fopen($path, 'r');
assert_same('01234', fread($file, 5), 'read before');

$url = script('a', [['status' => 429, 'headers' => [['retry-after-ms', '1']]], []]);
(new RetryClient(jitter: 0.0))->post($url, body: $file);

$expected = hash('sha256', substr(file_get_contents($path), 5));
foreach (received('a', 2) as $n => $entry) {
    assert_same([199_995, $expected], [$entry['body_length'], $entry['body_sha256']], "attempt $n");
    assert_same('199995', header_of($entry, 'Content-Length'), "length $n");
}
assert_same(5, ftell($file), 'position');
assert_same('567', fread($file, 3), 'read after');
done();
?>
--EXPECT--
done
