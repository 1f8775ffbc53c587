--TEST--
Forged payloads of Response and Attempt are refused
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, Reason, Response};

function forged(string $class, array $data): string
{
    return 'O:' . strlen($class) . ":\"$class\":" . substr(serialize($data), 2);
}

final class Loud
{
    public function __toString(): string { fail('code of the payload runs'); return ''; }
}

$response = (new Response(attempts: [new Attempt()]))->__serialize();
$attempt = (new Attempt())->__serialize();
assert_same(true, unserialize(forged(Response::class, $response + ['later' => 'version'])) == new Response(attempts: [new Attempt()]), 'unknown keys are left');

$must = static fn(string $class, string $rule) => "$class::__unserialize(): Argument #1 (\$data) must $rule";
foreach ([[Response::class, $response], [Attempt::class, $attempt]] as [$class, $data]) {
    foreach (array_keys($data) as $key) {
        $type = $must($class, "have a value of the declared type for \"$key\"");
        $missing = $data;
        unset($missing[$key]);
        assert_throws(ValueError::class, $type, static fn() => unserialize(forged($class, $missing)));
        assert_throws(ValueError::class, $type, static fn() => unserialize(forged($class, [$key => new stdClass()] + $data)));
        assert_throws(ValueError::class, $type, static fn() => unserialize(forged($class, [$key => true] + $data)));
        if (!in_array($key, ['status', 'error', 'retryAfter']) || [$class, $key] === [Response::class, 'status']) {
            assert_throws(ValueError::class, $type, static fn() => unserialize(forged($class, [$key => null] + $data)));
        }
    }
    assert_throws(ValueError::class, $must($class, 'have a value of the declared type for "' . array_key_first($data) . '"'), static fn() => unserialize(forged($class, [])));
    assert_throws(ValueError::class, $must($class, 'have a value of the declared type for "' . array_key_first($data) . '"'), static fn() => unserialize(forged($class, array_values($data))));
    $length = strlen($class);
    assert_throws(Exception::class, "Unserialization of '$class' is not allowed", static fn() => unserialize("C:$length:\"$class\":0:{}"));
}

$list = 'must be a list of RetryClient\Attempt objects';
foreach ([
    [Response::class, $response, 'status', 99, 'must be between 100 and 999, 99 given'],
    [Response::class, $response, 'status', PHP_INT_MAX, 'must be between 100 and 999, 9223372036854775807 given'],
    [Response::class, $response, 'headers', ['a' => [null]], 'must map header names to lists of strings'],
    [Response::class, $response, 'headers', ['a' => 'b'], 'must map header names to lists of strings'],
    [Response::class, $response, 'headers', ['a' => [new Loud()]], 'must map header names to lists of strings'],
    [Response::class, $response, 'attempts', ['x'], $list],
    [Response::class, $response, 'attempts', [1 => new Attempt()], $list],
    [Response::class, $response, 'attempts', [new Response()], $list],
    [Response::class, $response, 'waited', -1.0, 'must be finite and greater than or equal to 0, -1 given'],
    [Response::class, $response, 'elapsed', NAN, 'must be finite and greater than or equal to 0, NAN given'],
    [Response::class, $response, 'retryAfter', INF, 'must be finite and greater than or equal to 0, INF given'],
    [Attempt::class, $attempt, 'number', 0, 'must be greater than or equal to 1, 0 given'],
    [Attempt::class, $attempt, 'status', 1000, 'must be between 100 and 999, 1000 given'],
    [Attempt::class, $attempt, 'wait', -0.001, 'must be finite and greater than or equal to 0, -0.001 given'],
] as [$class, $data, $key, $value, $rule]) {
    assert_throws(ValueError::class, $must($class, "be valid: \"$key\" $rule"), static fn() => unserialize(forged($class, [$key => $value] + $data)));
}
// An int where a float is declared is no float.
assert_throws(ValueError::class, $must(Response::class, 'have a value of the declared type for "waited"'), static fn() => unserialize(forged(Response::class, ['waited' => 1] + $response)));
// A class that is not allowed is no Attempt.
assert_throws(
    ValueError::class,
    $must(Response::class, "be valid: \"attempts\" $list"),
    static fn() => unserialize(serialize(new Response(attempts: [new Attempt()])), ['allowed_classes' => [Response::class]]),
);
done();
?>
--EXPECT--
done
