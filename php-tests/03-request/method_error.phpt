--TEST--
Methods that are none, and CONNECT
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$refused = static function (string $method, string $rule) use ($client): void {
    assert_throws(ValueError::class, "RetryClient::send(): Argument #1 (\$method) $rule", static fn() => $client->send($method, server('refused')));
    assert_throws(ValueError::class, "RetryClient\\Request::__construct(): Argument #1 (\$method) $rule", static fn() => new RetryClient\Request($method, '/'));
};
foreach (['', ' ', 'G ET', 'GET ', "GET\r\n", "GET / HTTP/1.1\r\nX: y\r\n\r\nGET", "GET\0", 'GET/', 'GÉT', 'a:b', '(', "\x7f"] as $method) {
    $refused($method, 'must be a valid HTTP method');
}
foreach (['CONNECT', 'connect', 'Connect'] as $method) {
    $refused($method, 'must not be CONNECT, which opens a tunnel');
}
assert_throws(TypeError::class, 'RetryClient::send(): Argument #1 ($method) must be of type string, null given', static fn() => $client->send(null, '/'));
assert_throws(TypeError::class, 'RetryClient::send(): Argument #1 ($method) must be of type string, array given', static fn() => $client->send([], '/'));
assert_throws(ArgumentCountError::class, 'RetryClient::send() expects at least 2 arguments, 1 given', static fn() => $client->send('GET'));
done();
?>
--EXPECT--
done
