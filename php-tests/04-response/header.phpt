--TEST--
Response::header(): any case, several lines joined
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Response;

$response = new Response(headers: ['Content-Type' => 'text/plain', 'Vary' => ['a', 'b', ''], 'X-Empty' => '', 'X-None' => [], '5' => 'five', "X-\xff" => "\xff"]);
foreach ([
    'content-type' => 'text/plain', 'CONTENT-TYPE' => 'text/plain', 'Content-Type' => 'text/plain', 'vary' => 'a, b, ', 'x-empty' => '', 'x-none' => '',
    '5' => 'five', "x-\xff" => "\xff", 'content-type ' => null, '' => null, 'x' => null,
] as $name => $expected) {
    assert_same($expected, $response->header((string) $name), (string) $name);
}
assert_same('five', $response->header(5));
assert_throws(TypeError::class, 'RetryClient\Response::header(): Argument #1 ($name) must be of type string, null given', static fn() => $response->header(null));
assert_throws(TypeError::class, 'RetryClient\Response::header(): Argument #1 ($name) must be of type string, array given', static fn() => $response->header([]));
assert_throws(ArgumentCountError::class, 'RetryClient\Response::header() expects exactly 1 argument, 0 given', static fn() => $response->header());
done();
?>
--EXPECT--
done
