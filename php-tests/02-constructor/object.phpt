--TEST--
A client is made by its constructor once; it is not cloned, serialized, compared or given properties
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\FakeClient;

foreach ([[RetryClient::class, []], [FakeClient::class, [[]]]] as [$class, $arguments]) {
    $client = new $class(...$arguments);
    assert_true($client instanceof RetryClient\ClientInterface, "$class implements ClientInterface");
    assert_throws(Error::class, "Cannot call constructor of $class twice", static fn() => $client->__construct(...$arguments));
    assert_throws(Error::class, "Trying to clone an uncloneable object of class $class", static fn() => clone $client);
    assert_throws(Exception::class, "Serialization of '$class' is not allowed", static fn() => serialize($client));
    $length = strlen($class);
    assert_throws(Exception::class, "Unserialization of '$class' is not allowed", static fn() => unserialize("O:$length:\"$class\":0:{}"));
    assert_throws(Exception::class, "Unserialization of '$class' is not allowed", static fn() => unserialize("C:$length:\"$class\":0:{}"));
    $reflection = new ReflectionClass($class);
    assert_throws(
        ReflectionException::class,
        "Class $class is an internal class marked as final that cannot be instantiated without invoking its constructor",
        static fn() => $reflection->newInstanceWithoutConstructor(),
    );
    assert_same([true, false, false], [$reflection->isFinal(), $reflection->isCloneable(), $reflection->isIterable()], "$class: modifiers");

    assert_throws(Error::class, "Cannot create dynamic property $class::\$x", static function () use ($client) { $client->x = 1; });
    assert_same(false, isset($client->x), 'isset');

    $other = new $class(...$arguments);
    assert_same([true, false, false], [$client == $client, $client == $other, in_array($client, [$other])], "$class: comparison");
    $map = new SplObjectStorage();
    $map[$client] = 1;
    assert_same([true, false], [isset($map[$client]), isset($map[$other])], "$class: as a key");

    assert_same([], (array) $client, 'cast');
    assert_same([], get_object_vars($client), 'get_object_vars');
    assert_same('{}', json_encode($client), 'json_encode');
    assert_same([], iterator_to_array(new ArrayIterator((array) $client)), 'nothing to iterate over');
}
done();
?>
--EXPECT--
done
