--TEST--
Headers have lower-case names, and repeated ones are lists
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$response = (new RetryClient())->get(script('a', [['headers' => [
    ['Set-Cookie', 'a=1'], ['X-One', 'first'], ['SET-COOKIE', 'b=2'], ['x-one', 'second, third'], ['X-Empty', ''], ['X-Bytes', ['base64' => base64_encode("\xe4\x80")]],
]]]));
assert_same(['a=1', 'b=2'], $response->headers['set-cookie'], 'cookies');
assert_same(['first', 'second, third'], $response->headers['x-one'], 'lines');
assert_same('first, second, third', $response->header('X-ONE'), 'joined');
assert_same('', $response->header('x-empty'), 'empty');
assert_same("\xe4\x80", $response->header('x-bytes'), 'bytes');
assert_same(null, $response->header('x-absent'), 'absent');
assert_same(null, $response->headers['content-type'] ?? null, 'nothing is invented');
done();
?>
--EXPECT--
done
