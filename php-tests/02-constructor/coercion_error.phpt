--TEST--
What happens in a conversion ends the construction
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Throwing
{
    public function __toString(): string { throw new LogicException('no text'); }
}

assert_throws(LogicException::class, 'no text', static fn() => new RetryClient(baseUri: new Throwing()));
assert_throws(LogicException::class, 'no text', static fn() => new RetryClient(headers: ['A' => new Throwing()]));
assert_throws(LogicException::class, 'no text', static fn() => new RetryClient(headers: ['A' => ['x', new Throwing()]]));

// A warning that an error handler turns into an exception.
set_error_handler(static fn(int $level, string $message) => throw new ErrorException($message));
assert_throws(ErrorException::class, 'Implicit conversion from float 2.5 to int loses precision', static fn() => new RetryClient(maxAttempts: 2.5));
done();
?>
--EXPECT--
done
