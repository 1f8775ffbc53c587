--TEST--
A stream that cannot seek is read once and sent again from memory
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

[$pipe, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($other, 'first ');
assert_same('fir', fread($pipe, 3), 'read before');
fwrite($other, 'second');
fclose($other);
$process = popen('printf "from a process"', 'r');

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$client->post(script('a', [['status' => 503], ['status' => 503], []]), body: $pipe);
$client->post(script('b', [['status' => 503], []]), body: $process);

assert_same(array_fill(0, 3, 'st second'), array_map(body_of(...), received('a', 3)), 'socket');
assert_same(array_fill(0, 2, 'from a process'), array_map(body_of(...), received('b', 2)), 'process');
assert_same([true, true], [is_resource($pipe), feof($pipe)], 'open, at its end');
assert_same(0, pclose($process), 'exit status');
done();
?>
--EXPECT--
done
