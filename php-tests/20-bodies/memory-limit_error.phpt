--TEST--
A stream that does not fit into the memory left is refused, not a fatal error
--EXTENSIONS--
retry_client
--INI--
memory_limit=16M
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
$pipe = popen('head -c 40000000 /dev/zero 2>/dev/null', 'r');
$thrown = thrown_by(fn() => $client->post($url, body: $pipe), ValueError::class);
assert_same('RetryClient::post(): Argument #3 ($body) must be a stream that fits into the memory left', $thrown?->getMessage(), 'message');
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
