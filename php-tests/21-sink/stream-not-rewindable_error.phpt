--TEST--
Where the stream cannot be cut back, a broken body is not sent for again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$middle = fopen('php://memory', 'w+');
fwrite($middle, '0123456789');
rewind($middle);
[$pipe, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$filtered = fopen('php://memory', 'w+');
stream_filter_append($filtered, 'string.toupper', STREAM_FILTER_WRITE);
foreach (['in the middle' => $middle, 'a socket' => $pipe, 'filtered' => $filtered] as $what => $stream) {
    $thrown = thrown_by(fn() => $client->get(script('a', [['action' => 'half', 'body' => 'hello world'], ['body' => 'good']]), sink: $stream), RetryClient\NetworkException::class);
    assert_same(['reset', 1], [$thrown?->kind, count($thrown?->attempts ?? [])], $what);
    $response = $client->get(script('a', [['action' => 'drop'], ['action' => 'half', 'body' => 'x', 'send_bytes' => 0], ['body' => 'g']]), sink: $stream);
    assert_same(3, count($response->attempts), "$what: before the first byte it is");
}
fclose($pipe);
assert_same('hellog', substr(stream_get_contents($other), -6), 'socket');
done();
?>
--EXPECT--
done
