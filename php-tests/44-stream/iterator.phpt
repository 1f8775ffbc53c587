--TEST--
The iterators by hand; what they and StreamedResponse are
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Event, FakeClient, Response, StreamedResponse, StreamIterator};

$client = new RetryClient();
$url = script('a', [chunks(["data: 1\n\n", "data: 2\n\n"], 50)]);
$expected = [
    'getIterator' => ["data: 1\n\n", "data: 2\n\n"], 'lines' => ['data: 1', '', 'data: 2', ''], 'events' => ['1', '2'],
];
foreach ($expected as $method => $values) {
    $value = static fn($one) => $one instanceof Event ? $one->data : $one;
    $stream = $client->stream('GET', $url);
    $iterator = $stream->$method();
    assert_same([StreamIterator::class, true], [get_debug_type($iterator), $iterator instanceof Iterator], $method);
    assert_same([true, 0, $values[0], $values[0], true], [$iterator->valid(), $iterator->key(), $value($iterator->current()), $value($iterator->current()), $iterator->valid()], "$method: nothing moves by itself");
    $got = [];
    for (; $iterator->valid(); $iterator->next()) {
        $got[$iterator->key()] = $value($iterator->current());
    }
    assert_same($values, $got, "$method: by hand");
    assert_same([false, null, null], [$iterator->valid(), $iterator->current(), $iterator->key()], "$method: at the end");
    $iterator->next();
    assert_same(false, $iterator->valid(), "$method: next() after the end");

    assert_same($values, array_map($value, iterator_to_array($client->stream('GET', $url)->$method())), "$method: iterator_to_array");
    $outer = (static function () use ($client, $url, $method) { yield from $client->stream('GET', $url)->$method(); })();
    assert_same($values, array_map($value, iterator_to_array($outer)), "$method: yield from");
    assert_same(array_slice($values, 1, 1), array_map($value, iterator_to_array(new LimitIterator(new IteratorIterator($client->stream('GET', $url)->$method()), 1, 1), false)), "$method: LimitIterator");
}

$stream = $client->stream('GET', $url);
foreach ([StreamedResponse::class => $stream, StreamIterator::class => $stream->getIterator()] as $class => $object) {
    $reflection = new ReflectionClass($class);
    assert_same([true, false, false, true], [$reflection->isFinal(), $reflection->isInstantiable(), $reflection->isCloneable(), $reflection->isIterable()], $class);
    thrown_by(static fn() => new $class(), Error::class);
    thrown_by(static fn() => $reflection->newInstanceWithoutConstructor(), ReflectionException::class);
    assert_throws(Error::class, "Trying to clone an uncloneable object of class $class", static fn() => clone $object);
    assert_throws(Exception::class, "Serialization of '$class' is not allowed", static fn() => serialize($object));
    assert_throws(Error::class, "Cannot create dynamic property $class::\$x", static function () use ($object) { $object->x = 1; });
    assert_same(true, $object == $object, $class);
}
assert_same(false, $stream == $client->stream('GET', $url), 'comparison');
assert_throws(Error::class, 'Cannot modify readonly property RetryClient\StreamedResponse::$status', static function () use ($stream) { $stream->status = 5; });
$properties = [];
foreach ((new ReflectionClass(StreamedResponse::class))->getProperties() as $property) {
    $properties[$property->name] = ($property->isReadOnly() ? '' : 'not readonly ') . $property->getType();
}
assert_same(
    ['status' => 'int', 'reasonPhrase' => 'string', 'protocol' => 'string', 'headers' => 'array', 'uri' => 'string', 'attempts' => 'array', 'waited' => 'float', 'elapsed' => 'float', 'retryAfter' => '?float'],
    $properties,
);
assert_same([true, ['event' => 'string', 'data' => 'string', 'id' => 'string', 'retry' => '?float']], [
    (new ReflectionClass(Event::class))->isFinal(), array_map(strval(...), array_column(array_map(static fn($p) => [$p->name, $p->getType()], (new ReflectionClass(Event::class))->getProperties()), 1, 0)),
]);
done();
?>
--EXPECT--
done
