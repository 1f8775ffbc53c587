--TEST--
A large file in a form is sent from disk: memory stays flat
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$path = folder() . '/large.bin';
$file = fopen($path, 'w+');
ftruncate($file, 200_000_000);
fseek($file, 100_000_000);
fwrite($file, 'in the middle');
rewind($file);
$peak = static fn(): int => (int) preg_replace('/.*VmHWM:\s+(\d+) kB.*/s', '$1', file_get_contents('/proc/self/status'));
$client = new RetryClient();
$client->post(script('warm', [[]]), multipart: ['f' => ['contents' => 'x']]);

$before = $peak();
$client->post(script('a', [[]]), multipart: ['f' => $file]);
assert_between(0, 8_000, $peak() - $before, 'kB of memory');

[$entry] = received('a', 1);
$boundary = explode('boundary=', header_of($entry, 'Content-Type'))[1];
$head = "--$boundary\r\nContent-Disposition: form-data; name=\"f\"; filename=\"large.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n";
$hash = hash_init('sha256');
hash_update($hash, $head);
hash_update_stream($hash, fopen($path, 'r'));
hash_update($hash, "\r\n--$boundary--\r\n");
assert_same(hash_final($hash), $entry['body_sha256'], 'body');
assert_same((string) (200_000_000 + strlen($head) + strlen("\r\n--$boundary--\r\n")), header_of($entry, 'Content-Length'), 'length');
assert_same(0, ftell($file), 'position');
done();
?>
--EXPECT--
done
