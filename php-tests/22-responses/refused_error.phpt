--TEST--
Nobody there is a connect failure, tried again for every method
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 3, baseDelay: 0.0, jitter: 0.0);
$thrown = thrown_by(fn() => $client->post(server('refused'), body: 'x'), RetryClient\NetworkException::class);
assert_same(['connect', 3], [$thrown?->kind, count($thrown->attempts)], 'refused');
$thrown = thrown_by(fn() => $client->with(proxy: '')->post('http://does-not-exist.invalid/', body: 'x'), RetryClient\NetworkException::class);
assert_same(['dns', 3], [$thrown?->kind, count($thrown->attempts)], 'no such host');
done();
?>
--EXPECT--
done
