--TEST--
What is written to a stream goes through its filters
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$path = folder() . '/out';
$stream = fopen($path, 'w');
stream_filter_append($stream, 'string.toupper', STREAM_FILTER_WRITE);
(new RetryClient())->get(script('a', [['body' => 'hello']]), sink: $stream);
fclose($stream);
assert_same('HELLO', file_get_contents($path));
done();
?>
--EXPECT--
done
