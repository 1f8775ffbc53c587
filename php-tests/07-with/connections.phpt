--TEST--
with(): copies, and clients with the same identity, share connections
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
$client->get($url);
$client->with(maxAttempts: 2, connectTimeout: 3, maxRedirects: 0, headers: ['A' => 'b'], timeout: 5)->get($url);
(new RetryClient(userAgent: 'other'))->get($url);
unset($client);
(new RetryClient())->get($url);
assert_same(1, count(array_unique(array_column(received('a', 4), 'connection'))), 'one connection');
assert_same([1, 2, 3, 4], array_column(received('a'), 'index'), 'in order');

// Another identity has another.
(new RetryClient(proxy: ''))->get($url);
(new RetryClient(verify: false))->get($url);
(new RetryClient(cert: server('cert_and_key')))->get($url);
$connections = array_column(received('a', 7), 'connection');
assert_same($connections[0], $connections[4], 'no proxy is no proxy');
assert_true($connections[5] !== $connections[0], 'verify');
assert_true(!in_array($connections[6], array_slice($connections, 0, 6)), 'cert');
done();
?>
--EXPECT--
done
