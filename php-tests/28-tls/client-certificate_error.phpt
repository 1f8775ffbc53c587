--TEST--
A client certificate that is missing, wrong or unusable is refused
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$ca = server('ca');
foreach (['none' => [], 'of another authority' => ['cert' => server('other_cert'), 'key' => server('other_key')]] as $what => $options) {
    $thrown = thrown_by(fn() => (new RetryClient(...$options, verify: $ca, baseDelay: 0.0, jitter: 0.0))->get(server('mtls')), RetryClient\NetworkException::class);
    assert_same(['tls', 1], [$thrown?->kind, count($thrown?->attempts ?? [])], $what);
}
$refused = fn(mixed ...$options) => thrown_by(fn() => new RetryClient(...$options), ValueError::class)?->getMessage();
assert_contains('Argument #24 ($key) must go with a certificate ($cert)', $refused(key: server('key')));
assert_contains('Argument #23 ($cert) must be a readable PEM file with a certificate', $refused(cert: '/does/not/exist', key: server('key')));
assert_contains('Argument #23 ($cert) must be a readable PEM file with an unencrypted private key', $refused(cert: server('cert')));
assert_contains('Argument #24 ($key) must be a readable PEM file with an unencrypted private key', $refused(cert: server('cert'), key: server('cert')));
assert_contains('Argument #23 ($cert) must go with its key', $refused(cert: server('cert'), key: server('other_key')));
done();
?>
--EXPECT--
done
