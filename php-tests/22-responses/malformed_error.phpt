--TEST--
An answer that is not HTTP is a protocol failure
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
$answers = [
    'no status line' => "hello\r\n\r\n",
    'a status in words' => "HTTP/1.1 two hundred\r\n\r\n",
    'two digits' => "HTTP/1.1 99 x\r\n\r\n",
    'a later version' => "HTTP/9.9 200 OK\r\n\r\n",
    'a blank in a name' => "HTTP/1.1 200 OK\r\nBad Name: x\r\nContent-Length: 0\r\n\r\n",
    'two lengths' => "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    'a negative length' => "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    'a chunk size in words' => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    'a huge chunk size' => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nab",
    'a control character' => "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
];
foreach ($answers as $what => $raw) {
    $thrown = thrown_by(fn() => $client->post(script('a', [['action' => 'raw', 'raw' => $raw]])), RetryClient\NetworkException::class);
    assert_same(['protocol', 1], [$thrown?->kind, count($thrown?->attempts ?? [])], $what);
    assert_same('ok', $client->get(script('a', [['action' => 'raw', 'raw' => $raw], ['body' => 'ok']]))->body, "$what: second attempt of a GET");
}
done();
?>
--EXPECT--
done
