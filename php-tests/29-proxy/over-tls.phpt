--TEST--
A proxy may be reached over TLS
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(proxy: server('proxy_tls'), verify: server('ca'));
assert_contains('test-proxy', $client->get(script('a', [['action' => 'echo']]))->body, 'http');
assert_same(200, $client->get(script('b', [['action' => 'echo']], 'https'))->status, 'https');
$thrown = thrown_by(fn() => (new RetryClient(proxy: server('proxy_tls'), maxAttempts: 1))->get(script('a', [[]])), RetryClient\NetworkException::class);
assert_same('tls', $thrown?->kind, 'a proxy whose certificate nobody knows');
done();
?>
--EXPECT--
done
