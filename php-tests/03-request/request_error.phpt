--TEST--
Request: readonly, made once, not cloned, not serialized
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Request;

$request = new Request('GET', '/a', headers: ['A' => 'b']);
$modify = static fn(string $name) => "Cannot modify readonly property RetryClient\\Request::\$$name";
foreach (array_keys(get_object_vars($request)) as $name) {
    assert_throws(Error::class, $modify($name), static function () use ($request, $name) { $request->$name = 'x'; });
    assert_throws(Error::class, "Cannot unset readonly property RetryClient\\Request::\$$name", static function () use ($request, $name) { unset($request->$name); });
}
assert_throws(Error::class, indirectly($modify('headers')), static function () use ($request) { $request->headers['B'] = 'c'; });
assert_throws(Error::class, indirectly($modify('uri')), static function () use ($request) { $reference = &$request->uri; });
assert_throws(Error::class, $modify('method'), static fn() => $request->__construct('POST', '/b'));
assert_throws(Error::class, $modify('uri'), static fn() => (new ReflectionProperty($request, 'uri'))->setValue($request, 'x'));
assert_throws(Error::class, 'Cannot create dynamic property RetryClient\Request::$x', static function () use ($request) { $request->x = 1; });
assert_same(['GET', '/a', ['A' => 'b']], [$request->method, $request->uri, $request->headers], 'as it was');

assert_throws(Error::class, 'Trying to clone an uncloneable object of class RetryClient\Request', static fn() => clone $request);
assert_throws(Exception::class, "Serialization of 'RetryClient\Request' is not allowed", static fn() => serialize($request));
assert_throws(Exception::class, "Unserialization of 'RetryClient\Request' is not allowed", static fn() => unserialize('O:19:"RetryClient\Request":0:{}'));
assert_throws(Exception::class, "Unserialization of 'RetryClient\Request' is not allowed", static fn() => unserialize('C:19:"RetryClient\Request":0:{}'));
assert_throws(
    ReflectionException::class,
    'Class RetryClient\Request is an internal class marked as final that cannot be instantiated without invoking its constructor',
    static fn() => (new ReflectionClass(Request::class))->newInstanceWithoutConstructor(),
);
assert_throws(ArgumentCountError::class, 'RetryClient\Request::__construct() expects at least 2 arguments, 0 given', static fn() => new Request());
done();
?>
--EXPECT--
done
