--TEST--
The body ends as the framing says: chunks, length, or the connection's end
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$body = fn(array $step, string $on = 'http') => $client->get(script('a', [$step], $on))->body;
assert_same('abcdef', $body(['chunks' => ['a', 'bcd', 'ef'], 'chunked' => true, 'trailers' => [['X-Sum', '1']]]), 'chunks and trailers');
assert_same('', $body(['chunks' => [], 'chunked' => true]), 'no chunk');
assert_same(str_repeat('x', 300_000), $body(['body_repeat' => ['x', 300_000], 'chunked' => true, 'chunk_size' => 1000]), 'many chunks');
assert_same('to the end', $body(['body' => 'to the end', 'content_length' => false]), 'no length');
assert_same('old', $body(['body' => 'old', 'version' => '1.0', 'content_length' => false]), 'HTTP/1.0');
assert_same("a\0b\xff", $body(['body_base64' => base64_encode("a\0b\xff")]), 'bytes');
assert_same('slow', $body(['body' => 'slow', 'drip' => ['bytes' => 1, 'every_ms' => 5]]), 'byte by byte');
done();
?>
--EXPECT--
done
