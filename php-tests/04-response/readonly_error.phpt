--TEST--
Response and Attempt: readonly, made once, no dynamic properties
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, Response};

foreach ([new Response(headers: ['a' => 'b']), new Attempt()] as $object) {
    $class = $object::class;
    $before = get_object_vars($object);
    foreach ($before as $name => $value) {
        assert_throws(Error::class, "Cannot modify readonly property $class::\$$name", static function () use ($object, $name) { $object->$name = 1; });
        assert_throws(Error::class, "Cannot unset readonly property $class::\$$name", static function () use ($object, $name) { unset($object->$name); });
        if (!is_object($value)) {    // else PHP hands out a copy, as of any readonly property
            assert_throws(Error::class, indirectly("Cannot modify readonly property $class::\$$name"), static function () use ($object, $name) { $reference = &$object->$name; });
        }
        $property = new ReflectionProperty($object, $name);
        assert_same([true, true, false], [$property->isPublic(), $property->isReadOnly(), $property->hasDefaultValue()], $name);
    }
    $first = array_key_first($before);
    assert_throws(Error::class, "Cannot modify readonly property $class::\$$first", static fn() => $object->__construct());
    assert_throws(Error::class, "Cannot modify readonly property $class::\$$first", static fn() => $object->__unserialize($object->__serialize()));
    assert_throws(Error::class, "Cannot create dynamic property $class::\$x", static function () use ($object) { $object->x = 1; });
    assert_throws(
        ReflectionException::class,
        "Class $class is an internal class marked as final that cannot be instantiated without invoking its constructor",
        static fn() => (new ReflectionClass($class))->newInstanceWithoutConstructor(),
    );
    assert_same($before, get_object_vars($object), 'as it was');
}
$response = new Response(headers: ['a' => 'b']);
assert_throws(Error::class, indirectly('Cannot modify readonly property RetryClient\Response::$headers'), static function () use ($response) { $response->headers['c'] = 'd'; });

// No reference into it is left behind.
$attempt = new Attempt();
$line = 'b';
$list = ['b', &$line];
$response = new Response(headers: ['a' => &$list], attempts: [&$attempt]);
$attempt = $line = $list = 5;
assert_same([['a' => ['b', 'b']], 1], [$response->headers, $response->attempts[0]->number]);
done();
?>
--EXPECT--
done
