--TEST--
Exceptions: readonly properties, constructed once, neither cloned nor serialized
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient as R;

foreach ([
    [new R\NetworkException('old', kind: 'dns'), R\NetworkException::class, ['attempts', 'kind']],
    [new R\HttpException('old', response: new R\Response()), R\HttpException::class, ['attempts', 'response']],
    [new R\AttemptsExhaustedException('old', response: new R\Response()), R\HttpException::class, ['attempts', 'response']],
    [new R\BudgetExceededException('old'), R\BudgetExceededException::class, ['attempts', 'response', 'retryAfter', 'needed', 'left']],
    [new R\RateLimitedException('old'), R\RateLimitedException::class, ['attempts', 'response', 'retryAfter']],
] as [$exception, $declaring, $names]) {
    $class = $exception::class;
    foreach ($names as $name) {
        assert_throws(Error::class, "Cannot modify readonly property $declaring::\$$name", static function () use ($exception, $name) { $exception->$name = []; });
    }
    thrown_by(static fn() => $exception->__construct('new'), Error::class);
    assert_same('old', $exception->getMessage(), 'as it was');
    assert_throws(Error::class, "Trying to clone an uncloneable object of class $class", static fn() => clone $exception);
    assert_throws(Exception::class, "Serialization of '$class' is not allowed", static fn() => serialize($exception));
    $length = strlen($class);
    assert_throws(Exception::class, "Unserialization of '$class' is not allowed", static fn() => unserialize("O:$length:\"$class\":0:{}"));
    assert_throws(Exception::class, "Unserialization of '$class' is not allowed", static fn() => unserialize("C:$length:\"$class\":0:{}"));
}

// Made past its constructor it is empty, but nothing breaks.
$empty = (new ReflectionClass(R\HttpException::class))->newInstanceWithoutConstructor();
assert_same([false, false, ''], [isset($empty->attempts), isset($empty->response), $empty->getMessage()]);
thrown_by(static fn() => throw $empty, R\HttpException::class);
done();
?>
--EXPECT--
done
