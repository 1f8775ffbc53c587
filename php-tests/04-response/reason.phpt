--TEST--
Reason: a final enum of nine cases, backed by strings
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Reason;

$cases = [];
foreach (Reason::cases() as $case) {
    $cases[$case->name] = $case->value;
    assert_true(Reason::from($case->value) === $case, $case->name);
    assert_true(constant(Reason::class . "::$case->name") === $case, $case->name);
    assert_true(unserialize(serialize($case)) === $case, $case->name);
}
assert_same([
    'Answered' => 'answered', 'RetryAfter' => 'retry-after', 'Backoff' => 'backoff', 'Network' => 'network', 'NotRetryable' => 'not-retryable',
    'AttemptsExhausted' => 'attempts-exhausted', 'RateLimited' => 'rate-limited', 'BudgetExceeded' => 'budget-exceeded', 'Stopped' => 'stopped',
], $cases);
assert_same(null, Reason::tryFrom('Answered'));
assert_same('network', match (Reason::Network) { Reason::Backoff => 'backoff', Reason::Network => 'network' });
assert_same('"network"', json_encode(Reason::Network));
$enum = new ReflectionEnum(Reason::class);
assert_same([true, true, 'string'], [$enum->isFinal(), $enum->isBacked(), (string) $enum->getBackingType()]);
thrown_by(static fn() => Reason::from('soon'), ValueError::class);
thrown_by(static fn() => clone Reason::Network, Error::class);
assert_same(false, @unserialize('E:26:"RetryClient\Reason:Nothing";'));
done();
?>
--EXPECT--
done
