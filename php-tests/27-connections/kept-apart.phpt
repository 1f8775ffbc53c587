--TEST--
What carries identity keeps connections apart
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]], 'https');
$ca = server('ca');
$clients = [
    new RetryClient(verify: $ca),
    new RetryClient(verify: false),
    new RetryClient(verify: $ca, cert: server('cert'), key: server('key')),
    new RetryClient(verify: $ca, proxy: server('proxy')),
    new RetryClient(verify: $ca, proxy: str_replace('http://', 'http://a:b@', server('proxy'))),
];
foreach ([...$clients, ...$clients] as $client) {
    $client->get($url);
}
$connections = array_column(received('a', 10), 'connection');
assert_same(5, count(array_unique($connections)), 'connections');
assert_same(array_slice($connections, 0, 5), array_slice($connections, 5), 'each uses its own again');
done();
?>
--EXPECT--
done
