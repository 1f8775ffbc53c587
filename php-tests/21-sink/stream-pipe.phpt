--TEST--
A stream that cannot seek gets the body
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
(new RetryClient())->get(script('a', [['body' => 'through a socket']]), sink: $here);
fclose($here);
assert_same('through a socket', stream_get_contents($there));

$process = popen('cat > ' . ($path = folder() . '/out'), 'w');
(new RetryClient())->get(script('b', [['body' => 'through a process']]), sink: $process);
pclose($process);
assert_same('through a process', file_get_contents($path));
done();
?>
--EXPECT--
done
