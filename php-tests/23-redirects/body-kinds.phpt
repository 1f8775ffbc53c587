--TEST--
A stream is sent again after 307
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$file = tmpfile();
fwrite($file, 'from a file');
rewind($file);
$to = script('to', [[]]);
(new RetryClient())->post(script('from', [['action' => 'redirect', 'status' => 307, 'location' => $to]]), multipart: ['f' => ['contents' => $file, 'filename' => 'x']]);
[$first, $second] = [received('from', 1)[0], received('to', 1)[0]];
assert_same(body_of($first), body_of($second), 'body');
assert_contains('from a file', body_of($second), 'file');
assert_same(header_of($first, 'Content-Type'), header_of($second, 'Content-Type'), 'type');
assert_same(header_of($first, 'Idempotency-Key'), header_of($second, 'Idempotency-Key'), 'key');
done();
?>
--EXPECT--
done
