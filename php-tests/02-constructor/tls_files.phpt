--TEST--
verify, cert and key: a CA file, none, and a client certificate
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\NetworkException;

/** 200, or the kind of failure. */
function reaches(string $listener, mixed ...$options): int|string
{
    try {
        return (new RetryClient(...$options))->get(server($listener) . '/status/200')->status;
    } catch (NetworkException $e) {
        assert_same(1, count($e->attempts), 'a certificate is not tried again');
        return $e->kind;
    }
}

assert_same('tls', reaches('https'), 'the system does not know the authority');
assert_same('tls', reaches('https', verify: true), 'true is the default');
assert_same(200, reaches('https', verify: server('ca')), 'CA file');
assert_same(200, reaches('https', verify: false), 'not verified');
assert_same('tls', reaches('expired', verify: server('ca')), 'expired');
assert_same(200, reaches('expired', verify: false), 'expired, not verified');
assert_same('tls', reaches('wrong_host', verify: server('ca')), 'wrong host');
assert_same('tls', reaches('untrusted', verify: server('ca')), 'unknown authority');
assert_same('tls', reaches('self_signed', verify: server('ca')), 'self-signed');

assert_same(200, reaches('mtls', verify: server('ca'), cert: server('cert'), key: server('key')), 'certificate and key');
assert_same(200, reaches('mtls', verify: server('ca'), cert: server('cert_and_key')), 'both in one file');
assert_same('tls', reaches('mtls', verify: server('ca'), cert: server('other_cert'), key: server('other_key')), 'another certificate');
assert_same('tls', reaches('mtls', verify: server('ca')), 'none');

// Relative to the working directory, as for any function of PHP.
chdir(dirname(server('ca')));
assert_same(200, reaches('https', verify: basename(server('ca'))), 'a relative path');
done();
?>
--EXPECT--
done
