--TEST--
Bodies of all kinds arrive over HTTP/2
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), baseDelay: 0.0, jitter: 0.0);
$file = tmpfile();
fwrite($file, str_repeat('0123456789', 200_000));
rewind($file);
$client->put(script('a', [['status' => 503], []], 'h2'), body: $file);
foreach (received('a', 2) as $entry) {
    assert_same(hash('sha256', str_repeat('0123456789', 200_000)), $entry['body_sha256'], 'a file');
}
$large = $client->get(script('b', [['body_repeat' => ['0123456789', 1_000_000]]], 'h2'));
assert_same(hash('sha256', str_repeat('0123456789', 1_000_000)), hash('sha256', $large->body), 'a large response');
assert_same('hello', $client->get(script('c', [['body' => 'hello', 'encoding' => 'br', 'trailers' => [['x-sum', '1']]]], 'h2'))->body, 'compressed, with trailers');
assert_same('', $client->head(script('d', [['headers' => [['content-length', '9']]]], 'h2'))->body, 'HEAD');
assert_same('ok', $client->get(script('e', [['informational' => [103, 103], 'body' => 'ok']], 'h2'))->body, 'informational responses');
done();
?>
--EXPECT--
done
