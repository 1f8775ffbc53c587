--TEST--
A client certificate is shown to a server that asks
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$ca = server('ca');
$url = server('mtls') . '/echo';
foreach ([
    'two files' => new RetryClient(verify: $ca, cert: server('cert'), key: server('key')),
    'one file' => new RetryClient(verify: $ca, cert: server('cert_and_key')),
] as $what => $client) {
    assert_same(64, strlen((string) $client->get($url)->json()['tls']['client_cert_sha256']), $what);
}
assert_same(null, (new RetryClient(verify: $ca, cert: server('cert'), key: server('key')))->get(server('https') . '/echo')->json()['tls']['client_cert_sha256'], 'not asked');
done();
?>
--EXPECT--
done
