--TEST--
Exceptions: what their constructors refuse
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient as R;

$list = 'must be a list of RetryClient\Attempt objects';
foreach ([
    [R\NetworkException::class, 'message', [], TypeError::class, '1 ($message) must be of type string, array given'],
    [R\NetworkException::class, 'message', null, TypeError::class, '1 ($message) must be of type string, null given'],
    [R\NetworkException::class, 'code', 'x', TypeError::class, '2 ($code) must be of type int, string given'],
    [R\NetworkException::class, 'previous', new stdClass(), TypeError::class, '3 ($previous) must be of type ?Throwable, stdClass given'],
    [R\NetworkException::class, 'attempts', null, TypeError::class, '4 ($attempts) must be of type array, null given'],
    [R\NetworkException::class, 'attempts', [1], TypeError::class, "4 (\$attempts) $list"],
    [R\NetworkException::class, 'attempts', ['a' => new R\Attempt()], TypeError::class, "4 (\$attempts) $list"],
    [R\NetworkException::class, 'kind', null, TypeError::class, '5 ($kind) must be of type string, null given'],
    [R\HttpException::class, 'response', new stdClass(), TypeError::class, '5 ($response) must be of type ?RetryClient\Response, stdClass given'],
    [R\BudgetExceededException::class, 'response', 'x', TypeError::class, '5 ($response) must be of type ?RetryClient\Response, string given'],
    [R\BudgetExceededException::class, 'retryAfter', -1, ValueError::class, '6 ($retryAfter) must be finite and greater than or equal to 0, -1 given'],
    [R\BudgetExceededException::class, 'needed', NAN, ValueError::class, '7 ($needed) must be finite and greater than or equal to 0, NAN given'],
    [R\BudgetExceededException::class, 'left', null, TypeError::class, '8 ($left) must be of type float, null given'],
    [R\RateLimitedException::class, 'retryAfter', null, TypeError::class, '6 ($retryAfter) must be of type float, null given'],
    [R\RateLimitedException::class, 'retryAfter', INF, ValueError::class, '6 ($retryAfter) must be finite and greater than or equal to 0, INF given'],
] as [$class, $name, $value, $error, $message]) {
    assert_throws($error, "$class::__construct(): Argument #$message", static fn() => new $class(...[$name => $value]));
}
// An inherited constructor is its parent's.
assert_throws(TypeError::class, "RetryClient\\HttpException::__construct(): Argument #4 (\$attempts) $list", static fn() => new R\AttemptsExhaustedException(attempts: [1]));
assert_throws(Error::class, 'Unknown named parameter $status', static fn() => new R\HttpException(status: 404));

// Without a response the property of an HttpException is unset.
$exception = new R\HttpException('x');
assert_same(false, isset($exception->response));
assert_throws(Error::class, 'Typed property RetryClient\HttpException::$response must not be accessed before initialization', static fn() => $exception->response);
done();
?>
--EXPECT--
done
