--TEST--
Exceptions can be made, thrown and read like those of PHP
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient as R;

$response = new R\Response(status: 429);
$attempts = [new R\Attempt(status: 429), new R\Attempt(number: 2, status: 429)];
$previous = new LogicException('cause');
$shared = ['message' => "bytes \0\xff", 'code' => 7, 'previous' => $previous, 'attempts' => $attempts];
foreach ([
    [R\NetworkException::class, ['kind' => 'dns'], ['kind' => '']],
    [R\HttpException::class, ['response' => $response], []],
    [R\AttemptsExhaustedException::class, ['response' => $response], []],
    [R\BudgetExceededException::class, ['response' => $response, 'retryAfter' => 1.5, 'needed' => 2.5, 'left' => 3.5], ['response' => null, 'retryAfter' => null, 'needed' => 0.0, 'left' => 0.0]],
    [R\RateLimitedException::class, ['response' => $response, 'retryAfter' => 1.5], ['response' => null, 'retryAfter' => 0.0]],
] as [$class, $own, $defaults]) {
    $plain = new $class();
    assert_same(['', 0, null, [], __FILE__, __LINE__ - 1, []], [$plain->getMessage(), $plain->getCode(), $plain->getPrevious(), $plain->attempts, $plain->getFile(), $plain->getLine(), $plain->getTrace()], $class);
    foreach ($defaults as $name => $value) {
        assert_same($value, $plain->$name, "$class::\$$name");
    }

    foreach ([new $class(...$shared, ...$own), new $class(...array_values($shared + $own)), new $class(...array_reverse($shared + $own))] as $full) {
        assert_same(array_values($shared), [$full->getMessage(), $full->getCode(), $full->getPrevious(), $full->attempts], $class);
        foreach ($own as $name => $value) {
            assert_same($value, $full->$name, "$class::\$$name");
        }
    }
    assert_same($full, thrown_by(static fn() => throw $full, $class));
    assert_contains("$class: bytes \0\xff in " . __FILE__, (string) $full);
    assert_same(true, str_starts_with((string) $full, 'LogicException: cause'), 'the cause comes first');
}
assert_same([3, 'text'], [(new R\NetworkException(code: '3'))->getCode(), (new R\NetworkException(kind: new class { public function __toString(): string { return 'text'; } }))->kind], 'weak types');
done();
?>
--EXPECT--
done
