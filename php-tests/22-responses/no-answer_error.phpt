--TEST--
A connection that ends without an answer is a reset
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
foreach (['drop', 'reset'] as $action) {
    $thrown = thrown_by(fn() => $client->get(script('a', [['action' => $action]])), RetryClient\NetworkException::class);
    assert_same(['reset', 2], [$thrown?->kind, count($thrown->attempts)], $action);
}
$thrown = thrown_by(fn() => $client->get(script('a', [['action' => 'raw', 'raw' => "HTTP/1.1 200 OK\r\nX-Cut"]])), RetryClient\NetworkException::class);
assert_same('reset', $thrown?->kind, 'half a head');
done();
?>
--EXPECT--
done
