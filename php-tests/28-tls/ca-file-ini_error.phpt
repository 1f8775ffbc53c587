--TEST--
A CA file of php.ini that cannot be used is a tls failure of the call, tried once
--EXTENSIONS--
retry_client
--INI--
retry_client.ca_file=/does/not/exist
--FILE--
<?php
require __DIR__ . '/../support.php';

$thrown = thrown_by(fn() => (new RetryClient())->get(server('https')), RetryClient\NetworkException::class);
assert_same(['tls', 1], [$thrown?->kind, count($thrown->attempts)]);
assert_same(200, (new RetryClient(verify: server('ca')))->get(server('https') . '/status/200')->status, 'an option of the client does not need it');
done();
?>
--EXPECT--
done
