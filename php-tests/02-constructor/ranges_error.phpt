--TEST--
Numbers outside their ranges are refused
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$least0 = 'must be greater than or equal to 0';
$least1 = 'must be greater than or equal to 1';
$above0 = 'must be greater than 0';
$finite = 'must be finite';
foreach ([
    ['maxAttempts', 3, [[0, "$least1, 0 given"], [-1, "$least1, -1 given"], [PHP_INT_MIN, "$least1, -9223372036854775808 given"]]],
    ['baseDelay', 4, [[-0.001, "$least0, -0.001 given"], [-1, "$least0, -1 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"], [-INF, "$finite, -INF given"]]],
    ['multiplier', 5, [[0.999, "$least1, 0.999 given"], [0, "$least1, 0 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"]]],
    ['maxDelay', 6, [[-1.5, "$least0, -1.5 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"]]],
    ['jitter', 7, [[-1, "$least0, -1 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"]]],
    ['maxRetryAfter', 8, [[-1, "$least0, -1 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"]]],
    ['timeout', 14, [[0, "$above0, 0 given"], [-0.0, "$above0, -0 given"], [-5, "$above0, -5 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"]]],
    ['connectTimeout', 15, [[0, "$above0, 0 given"], [-1, "$above0, -1 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"]]],
    ['idleTimeout', 16, [[0, "$above0, 0 given"], [-1, "$above0, -1 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"]]],
    ['budget', 17, [[0, "$above0, 0 given"], [-1, "$above0, -1 given"], [NAN, "$finite, NAN given"], [INF, "$finite, INF given"]]],
    ['maxRedirects', 18, [[-1, "$least0, -1 given"]]],
    ['maxBodySize', 20, [[-1, "$least0, -1 given"]]],
] as [$name, $number, $cases]) {
    foreach ($cases as [$value, $rule]) {
        $message = "RetryClient::__construct(): Argument #$number (\$$name) $rule";
        assert_throws(ValueError::class, $message, static fn() => new RetryClient(...[$name => $value]));
    }
}

// The ends of the ranges are inside.
foreach ([
    ['maxAttempts' => 1], ['maxAttempts' => PHP_INT_MAX], ['baseDelay' => 0], ['baseDelay' => -0.0], ['baseDelay' => PHP_FLOAT_MAX],
    ['multiplier' => 1], ['multiplier' => PHP_FLOAT_MAX], ['maxDelay' => 0], ['jitter' => 0], ['maxRetryAfter' => 0], ['maxRetryAfter' => 1e300],
    ['timeout' => PHP_FLOAT_MIN], ['timeout' => PHP_FLOAT_MAX], ['connectTimeout' => 1e-9], ['idleTimeout' => 1e-9], ['budget' => 1e-9],
    ['budget' => PHP_FLOAT_MAX], ['maxRedirects' => 0], ['maxRedirects' => PHP_INT_MAX], ['maxBodySize' => 0], ['maxBodySize' => PHP_INT_MAX],
] as $options) {
    assert_same('RetryClient', (new RetryClient(...$options))::class, json_encode($options));
}
done();
?>
--EXPECT--
done
