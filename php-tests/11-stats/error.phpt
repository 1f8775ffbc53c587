--TEST--
stats(): no arguments, and only \RetryClient has it
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

assert_throws(ArgumentCountError::class, 'RetryClient::stats() expects exactly 0 arguments, 1 given', static fn() => RetryClient::stats(true));
assert_throws(Error::class, 'Unknown named parameter $all', static fn() => RetryClient::stats(all: true));
assert_same(false, method_exists(RetryClient\ClientInterface::class, 'stats'));
assert_same(false, method_exists(RetryClient\FakeClient::class, 'stats'));
$method = new ReflectionMethod('RetryClient', 'stats');
assert_same([true, true, 'array', 0], [$method->isPublic(), $method->isStatic(), (string) $method->getReturnType(), $method->getNumberOfParameters()]);
done();
?>
--EXPECT--
done
