--TEST--
In the middle of a stream the body overwrites what is there
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$stream = fopen('php://memory', 'w+');
fwrite($stream, '0123456789');
fseek($stream, 3);
(new RetryClient())->get(script('a', [['body' => 'abc']]), sink: $stream);
rewind($stream);
assert_same('012abc6789', stream_get_contents($stream));
done();
?>
--EXPECT--
done
