--TEST--
A sink is not bounded by maxBodySize or memory_limit
--EXTENSIONS--
retry_client
--INI--
memory_limit=16M
--FILE--
<?php
require __DIR__ . '/../support.php';

$path = folder() . '/out';
$client = new RetryClient(maxBodySize: 1000);
$url = script('a', [['body_repeat' => ['x', 60_000_000], 'encoding' => 'gzip']]);
$client->get($url, sink: $path);
assert_same(60_000_000, filesize($path), 'size of the file');
$stream = fopen($path, 'w+');
$client->get($url, sink: $stream);
assert_same(60_000_000, ftell($stream), 'size of the stream');
assert_same('too-large', thrown_by(fn() => $client->get($url))?->kind, 'in memory');
done();
?>
--EXPECT--
done
