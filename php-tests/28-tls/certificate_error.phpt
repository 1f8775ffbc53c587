--TEST--
A certificate that does not hold is a tls failure, tried once
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), baseDelay: 0.0, jitter: 0.0);
foreach (['untrusted', 'self_signed', 'expired', 'wrong_host'] as $which) {
    foreach (['GET', 'POST'] as $method) {
        $thrown = thrown_by(fn() => $client->send($method, server($which) . '/status/200?key=s3cret'), RetryClient\NetworkException::class);
        assert_same(['tls', 1, 'not-retryable'], [$thrown?->kind, count($thrown->attempts), $thrown->attempts[0]->reason->value], $which);
        assert_contains('certificate', strtolower($thrown->getMessage()), $which);
        assert_not_contains('s3cret', $thrown->getMessage(), $which);
    }
}
$thrown = thrown_by(fn() => (new RetryClient())->get(server('https')), RetryClient\NetworkException::class);
assert_same('tls', $thrown?->kind, 'an authority that the system does not know');
done();
?>
--EXPECT--
done
