--TEST--
verify, cert and key: files that cannot be used
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$arguments = ['verify' => '#22 ($verify)', 'cert' => '#23 ($cert)', 'key' => '#24 ($key)'];
$refused = static function (string $name, string $rule, mixed ...$options) use ($arguments): void {
    assert_throws(ValueError::class, "RetryClient::__construct(): Argument $arguments[$name] $rule", static fn() => new RetryClient(...$options));
};
$empty = __DIR__ . '/tls_files_error.pem';
touch($empty);

$ca = 'must be a readable PEM file with CA certificates';
$refused('verify', 'must not be empty', verify: '');
$refused('verify', $ca, verify: '/missing.pem');
$refused('verify', $ca, verify: __DIR__);
$refused('verify', $ca, verify: __FILE__);
$refused('verify', $ca, verify: $empty);
$refused('verify', $ca, verify: server('key'));
$refused('verify', 'must not contain any null bytes', verify: "a\0b");
$refused('verify', 'must be a path of the local file system', verify: 'http://a.test/ca.pem');
$refused('verify', 'must be a path of the local file system', verify: 'data:,x');

$refused('cert', 'must not be empty', cert: '');
$refused('cert', 'must be a readable PEM file with a certificate', cert: '/missing.pem');
$refused('cert', 'must be a readable PEM file with a certificate', cert: server('key'), key: server('key'));
$refused('cert', 'must be a readable PEM file with an unencrypted private key', cert: server('cert'));
$refused('cert', 'must not contain any null bytes', cert: "a\0b");
$refused('key', 'must not be empty', cert: server('cert'), key: '');
$refused('key', 'must go with a certificate ($cert)', key: server('key'));
$refused('key', 'must be a readable PEM file with an unencrypted private key', cert: server('cert'), key: '/missing.pem');
$refused('key', 'must be a readable PEM file with an unencrypted private key', cert: server('cert'), key: server('cert'));
$mismatch = thrown_by(static fn() => new RetryClient(cert: server('cert'), key: server('other_key')), ValueError::class);
assert_contains('RetryClient::__construct(): Argument #23 ($cert) must go with its key', $mismatch->getMessage());

// Outside of what open_basedir allows.
ini_set('open_basedir', __DIR__ . PATH_SEPARATOR . dirname(__DIR__));
$refused('verify', 'must be inside the directories that open_basedir allows', verify: '/etc/hosts');
$refused('cert', 'must be inside the directories that open_basedir allows', cert: '/etc/passwd');
done();
?>
--CLEAN--
<?php unlink(__DIR__ . '/tls_files_error.pem'); ?>
--EXPECT--
done
