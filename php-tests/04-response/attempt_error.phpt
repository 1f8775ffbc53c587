--TEST--
Attempt: what the constructor refuses
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Attempt;

$seconds = 'must be finite and greater than or equal to 0';
foreach ([
    ['number', 0, ValueError::class, '1 ($number) must be greater than or equal to 1, 0 given'],
    ['number', null, TypeError::class, '1 ($number) must be of type int, null given'],
    ['status', 99, ValueError::class, '2 ($status) must be between 100 and 999, 99 given'],
    ['status', 'x', TypeError::class, '2 ($status) must be of type ?int, string given'],
    ['error', [], TypeError::class, '3 ($error) must be of type ?string, array given'],
    ['startedAt', -1.5, ValueError::class, "4 (\$startedAt) $seconds, -1.5 given"],
    ['duration', NAN, ValueError::class, "5 (\$duration) $seconds, NAN given"],
    ['wait', INF, ValueError::class, "6 (\$wait) $seconds, INF given"],
    ['paced', -1, ValueError::class, "7 (\$paced) $seconds, -1 given"],
    ['reason', 'answered', TypeError::class, '8 ($reason) must be of type RetryClient\Reason, string given'],
    ['reason', null, TypeError::class, '8 ($reason) must be of type RetryClient\Reason, null given'],
    ['reason', new stdClass(), TypeError::class, '8 ($reason) must be of type RetryClient\Reason, stdClass given'],
] as [$name, $value, $class, $message]) {
    assert_throws($class, "RetryClient\\Attempt::__construct(): Argument #$message", static fn() => new Attempt(...[$name => $value]));
}
done();
?>
--EXPECT--
done
