--TEST--
Wrong types are refused, with the words of php-src
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

foreach ((new ReflectionMethod('RetryClient', '__construct'))->getParameters() as $number => $parameter) {
    $name = $parameter->name;
    $type = (string) $parameter->getType();
    $must = 'RetryClient::__construct(): Argument #' . $number + 1 . " (\$$name) must be";
    if ($type === '?callable') {
        assert_throws(TypeError::class, "$must a valid callback or null, array callback must have exactly two members", static fn() => new RetryClient(...[$name => []]));
        assert_throws(TypeError::class, "$must a valid callback or null, no array or string given", static fn() => new RetryClient(...[$name => new stdClass()]));
        assert_throws(TypeError::class, "$must a valid callback or null, function \"missing\" not found or invalid function name", static fn() => new RetryClient(...[$name => 'missing']));
        assert_throws(TypeError::class, "$must a valid callback or null, class stdClass does not have a method \"missing\"", static fn() => new RetryClient(...[$name => [new stdClass(), 'missing']]));
        continue;
    }
    assert_throws(TypeError::class, "$must of type $type, stdClass given", static fn() => new RetryClient(...[$name => new stdClass()]));
    if ($type !== 'array') {
        assert_throws(TypeError::class, "$must of type $type, array given", static fn() => new RetryClient(...[$name => [1]]));
    } else {
        assert_throws(TypeError::class, "$must of type $type, string given", static fn() => new RetryClient(...[$name => 'x']));
    }
    if (!$parameter->allowsNull()) {
        assert_throws(TypeError::class, "$must of type $type, null given", static fn() => new RetryClient(...[$name => null]));
    }
    if (in_array($type, ['int', 'float', '?float'])) {
        foreach (['x', '', '1x', '1e', ' '] as $text) {
            assert_throws(TypeError::class, "$must of type $type, string given", static fn() => new RetryClient(...[$name => $text]));
        }
    }
    if ($type === 'int') {
        foreach ([NAN, INF, 1e19, -1e19] as $float) {
            assert_throws(TypeError::class, "$must of type $type, float given", static fn() => new RetryClient(...[$name => $float]));
        }
    }
    if (in_array($type, ['?string', 'int', 'float', '?float', 'bool'])) {
        assert_throws(TypeError::class, "$must of type $type, resource given", static fn() => new RetryClient(...[$name => STDIN]));
    }
}
done();
?>
--EXPECT--
done
