--TEST--
Every option's name, order, type and default
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$parameters = (new ReflectionMethod('RetryClient', '__construct'))->getParameters();
$declared = $sensitive = [];
foreach ($parameters as $parameter) {
    $declared[$parameter->name] = [(string) $parameter->getType(), $parameter->getDefaultValue()];
    if ($parameter->getAttributes('SensitiveParameter')) {
        $sensitive[] = $parameter->name;
    }
}
assert_same([
    'baseUri' => ['?string', null],
    'headers' => ['array', []],
    'maxAttempts' => ['int', 5],
    'baseDelay' => ['float', 0.5],
    'multiplier' => ['float', 2.0],
    'maxDelay' => ['float', 30.0],
    'jitter' => ['float', 0.25],
    'maxRetryAfter' => ['float', 30.0],
    'retryOn' => ['array', [429, '5xx']],
    'retryUnsafe' => ['bool', false],
    'idempotencyKey' => ['bool', true],
    'throwOnGiveUp' => ['bool', true],
    'throwOnError' => ['bool', false],
    'timeout' => ['float', 600.0],
    'connectTimeout' => ['float', 10.0],
    'idleTimeout' => ['?float', null],
    'budget' => ['?float', null],
    'maxRedirects' => ['int', 5],
    'decode' => ['bool', true],
    'maxBodySize' => ['int', 67108864],
    'proxy' => ['?string', null],
    'verify' => ['string|bool', true],
    'cert' => ['?string', null],
    'key' => ['?string', null],
    'resolve' => ['array', []],
    'httpVersion' => ['?string', null],
    'userAgent' => ['?string', null],
    'share' => ['bool', true],
    'limit' => ['?string', null],
    'limitKey' => ['?string', null],
    'onRetry' => ['?callable', null],
    'onAttempt' => ['?callable', null],
    'onOutcome' => ['?callable', null],
], $declared, 'parameters');
if (PHP_VERSION_ID >= 80200) {
    assert_same(['baseUri', 'headers', 'proxy', 'key', 'limitKey'], $sensitive, 'sensitive');
}

// Each default, given by name, is accepted.
foreach ($declared as $name => [, $default]) {
    assert_same('RetryClient', (new RetryClient(...[$name => $default]))::class, $name);
}
// And all of them by position.
assert_same('RetryClient', (new RetryClient(...array_column($declared, 1)))::class, 'by position');
done();
?>
--EXPECT--
done
