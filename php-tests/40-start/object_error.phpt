--TEST--
A Pending is made by start() only; it is not cloned, serialized, compared or given properties
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Pending, Request, Response};

$client = new FakeClient([new Response(), new Response()]);
$pending = $client->start(new Request('GET', 'http://a.test/'));
$reflection = new ReflectionClass(Pending::class);
assert_same([true, false, false, false], [$reflection->isFinal(), $reflection->isInstantiable(), $reflection->isCloneable(), $reflection->isIterable()]);
thrown_by(static fn() => new Pending(), Error::class);
thrown_by(static fn() => $reflection->newInstanceWithoutConstructor(), ReflectionException::class);
assert_throws(Error::class, 'Trying to clone an uncloneable object of class RetryClient\Pending', static fn() => clone $pending);
assert_throws(Exception::class, "Serialization of 'RetryClient\\Pending' is not allowed", static fn() => serialize($pending));
assert_throws(Exception::class, "Unserialization of 'RetryClient\\Pending' is not allowed", static fn() => unserialize('O:19:"RetryClient\Pending":0:{}'));
assert_throws(Error::class, 'Cannot create dynamic property RetryClient\Pending::$x', static function () use ($pending) { $pending->x = 1; });
assert_same([true, false], [$pending == $pending, $pending == $client->start(new Request('GET', 'http://a.test/'))], 'comparison');
done();
?>
--EXPECT--
done
