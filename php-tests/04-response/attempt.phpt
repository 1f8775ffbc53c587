--TEST--
Attempt: defaults, arguments, bounds
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, Reason};

assert_same([
    'number' => 1, 'status' => null, 'error' => null, 'startedAt' => 0.0, 'duration' => 0.0, 'wait' => 0.0, 'paced' => 0.0, 'reason' => Reason::Answered,
], get_object_vars(new Attempt()), 'defaults');
$given = ['number' => PHP_INT_MAX, 'status' => 999, 'error' => 'gone', 'startedAt' => 1.5, 'duration' => 2.5, 'wait' => 3.5, 'paced' => 4.5, 'reason' => Reason::Stopped];
assert_same($given, get_object_vars(new Attempt(...$given)), 'by name');
assert_same($given, get_object_vars(new Attempt(...array_values($given))), 'by position');

$types = [];
foreach ((new ReflectionClass(Attempt::class))->getProperties() as $property) {
    $types[$property->name] = (string) $property->getType();
}
assert_same([
    'number' => 'int', 'status' => '?int', 'error' => '?string', 'startedAt' => 'float', 'duration' => 'float', 'wait' => 'float', 'paced' => 'float', 'reason' => 'RetryClient\Reason',
], $types, 'types');
done();
?>
--EXPECT--
done
