--TEST--
A stream gets the body from its position on, and goes on from its end
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$stream = fopen('php://memory', 'w+');
fwrite($stream, 'before ');
$url = script('a', [['body_repeat' => ['x', 200_000]]]);
$response = (new RetryClient())->get($url, sink: $stream);
assert_same(['', 200_007], [$response->body, ftell($stream)], 'body and position');
fwrite($stream, ' after');
rewind($stream);
assert_same('before ' . str_repeat('x', 200_000) . ' after', stream_get_contents($stream), 'contents');

$file = fopen(folder() . '/log', 'a+');
fwrite($file, "one\n");
(new RetryClient())->get(script('b', [['body' => "two\n"]]), sink: $file);
rewind($file);
assert_same("one\ntwo\n", stream_get_contents($file), 'appended');
done();
?>
--EXPECT--
done
