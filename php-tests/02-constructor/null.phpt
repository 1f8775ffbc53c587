--TEST--
Null is accepted where the type says so, and means the default
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$nullable = array_filter(
    (new ReflectionMethod('RetryClient', '__construct'))->getParameters(),
    static fn($parameter) => $parameter->allowsNull(),
);
$names = array_column($nullable, 'name');
assert_same(
    ['baseUri', 'idleTimeout', 'budget', 'proxy', 'cert', 'key', 'httpVersion', 'userAgent', 'limit', 'limitKey', 'onRetry', 'onAttempt', 'onOutcome'],
    array_values($names),
    'nullable',
);
$client = new RetryClient(...array_fill_keys($names, null));
assert_same(200, $client->get(script('a', [[]]))->status, 'works');
done();
?>
--EXPECT--
done
