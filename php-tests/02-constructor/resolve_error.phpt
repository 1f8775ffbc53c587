--TEST--
resolve: what is no host name, and what is no address
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\FakeClient;

$must = 'RetryClient::__construct(): Argument #25 ($resolve) must';
$given = PHP_VERSION_ID < 80300 ? 'bool' : 'true';
foreach ([
    ['https://a.test', 'https'], ['a.test:443', 'a.test'], ['a.test/', 'a.test'], ['user:s3cret@a.test', 'user'], ['a b', 'a'], ['*', ''], ['*.test', ''],
    ['127.0.0.1', '127.0.0.1'], ['::1', ''], ['[::1]', ''], ["a\0b", 'a'], ["\xff", ''],
] as [$host, $shown]) {
    assert_throws(ValueError::class, "$must have host names as keys, \"{$shown}…\" is none", static fn() => new RetryClient(resolve: ['good.test' => '127.0.0.1', $host => '127.0.0.1']));
}
assert_throws(ValueError::class, "$must have host names as keys, 0 given", static fn() => new RetryClient(resolve: ['127.0.0.1']));
assert_throws(ValueError::class, "$must not have an empty host name", static fn() => new RetryClient(resolve: ['' => '127.0.0.1']));
foreach (['', 'localhost', '127.0.0.1:80', '127.0.0.256', '[127.0.0.1]', '[::1', '127.0.0.1 ', '1'] as $address) {
    assert_throws(ValueError::class, "$must have an IP address for \"a.test\", \"$address\" given", static fn() => new RetryClient(resolve: ['A.test' => $address]));
}
assert_throws(ValueError::class, "$must have an IP address for \"a.test\", \"\u{FFFD}\" given", static fn() => new RetryClient(resolve: ['a.test' => "\xff"]));
foreach ([[null, 'null'], [2130706433, 'int'], [true, $given], [['127.0.0.1'], 'array'], [new ArrayObject(), 'ArrayObject']] as [$address, $type]) {
    assert_throws(TypeError::class, "$must have only strings as values, $type given", static fn() => new RetryClient(resolve: ['a.test' => $address]));
}
assert_throws(TypeError::class, "$must be of type array, string given", static fn() => new RetryClient(resolve: 'a.test:127.0.0.1'));
assert_throws(TypeError::class, "$must be of type array, null given", static fn() => new RetryClient(resolve: null));
assert_throws(ValueError::class, "$must not have an empty host name", static fn() => (new RetryClient())->with(resolve: ['' => '::1']));
assert_throws(ValueError::class, "$must not have an empty host name", static fn() => new FakeClient([], resolve: ['' => '::1']));
assert_throws(ValueError::class, "$must not have an empty host name", static fn() => (new FakeClient([]))->with(resolve: ['' => '::1']));
done();
?>
--EXPECT--
done
