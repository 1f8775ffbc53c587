--TEST--
A proxy that is not there is a connect failure, tried again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(proxy: server('refused'), maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, verify: server('ca'));
foreach (['http', 'https'] as $on) {
    $thrown = thrown_by(fn() => $client->post(script('a', [[]], $on), body: 'x'), RetryClient\NetworkException::class);
    assert_same(['connect', 2], [$thrown?->kind, count($thrown->attempts)], $on);
}
done();
?>
--EXPECT--
done
