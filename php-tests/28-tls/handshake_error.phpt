--TEST--
A handshake that fails otherwise was not sent, and is tried again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: false, maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
$thrown = thrown_by(fn() => $client->post(server('tls_garbage'), body: 'x'), RetryClient\NetworkException::class);
assert_same(['tls', 2], [$thrown?->kind, count($thrown->attempts)], 'garbage');
$plain = 'https://' . substr(server('http'), 7);
$thrown = thrown_by(fn() => $client->post("$plain/json", body: 'x'), RetryClient\NetworkException::class);
assert_same(['tls', 2], [$thrown?->kind, count($thrown->attempts)], 'a server that does not speak TLS');
$thrown = thrown_by(fn() => $client->post(server('refused'), body: 'x'), RetryClient\NetworkException::class);
assert_same('connect', $thrown?->kind, 'refused');
done();
?>
--EXPECT--
done
