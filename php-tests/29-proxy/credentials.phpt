--TEST--
A proxy gets its credentials, the server does not
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

[$user, $password] = explode(':', server('proxy_user'));
$proxy = str_replace('http://', "http://$user:$password@", server('proxy_auth'));
$client = new RetryClient(proxy: $proxy, verify: server('ca'));
foreach (['http', 'https'] as $on) {
    $url = script('a', [['action' => 'echo']], $on);
    $response = $client->get($url);
    assert_same(200, $response->status, $on);
    assert_same(null, header_of(received('a', 1)[0], 'Proxy-Authorization'), "$on: what the server sees");
}
done();
?>
--EXPECT--
done
