--TEST--
Responses: made by sendAll() only; not cloned, serialized, compared or given properties
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Progress, Responses};

$responses = (new FakeClient([]))->sendAll([]);
$reflection = new ReflectionClass(Responses::class);
assert_same([true, false, false, true], [$reflection->isFinal(), $reflection->isInstantiable(), $reflection->isCloneable(), $reflection->isIterable()]);
thrown_by(static fn() => new Responses(), Error::class);
thrown_by(static fn() => $reflection->newInstanceWithoutConstructor(), ReflectionException::class);
assert_throws(Error::class, 'Trying to clone an uncloneable object of class RetryClient\Responses', static fn() => clone $responses);
assert_throws(Exception::class, "Serialization of 'RetryClient\\Responses' is not allowed", static fn() => serialize($responses));
assert_throws(Error::class, 'Cannot create dynamic property RetryClient\Responses::$x', static function () use ($responses) { $responses->x = 1; });
assert_same([true, false], [$responses == $responses, $responses == (new FakeClient([]))->sendAll([])], 'comparison');

$expected = ['done' => 'int', 'total' => '?int', 'rate' => 'float', 'limited' => 'int', 'waitingUntil' => '?float', 'eta' => '?float'];
$progress = new ReflectionClass(Progress::class);
$properties = [];
foreach ($progress->getProperties() as $property) {
    assert_same([true, true], [$property->isPublic(), $property->isReadOnly()], $property->name);
    $properties[$property->name] = (string) $property->getType();
}
assert_same([true, $expected], [$progress->isFinal(), $properties], 'Progress');
done();
?>
--EXPECT--
done
