--TEST--
A server of a known authority is trusted, over TLS 1.2 and 1.3
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'));
foreach (['https' => ['TLSv1_3', '1.1'], 'tls12' => ['TLSv1_2', '1.1'], 'h2' => ['TLSv1_3', '2']] as $on => [$version, $protocol]) {
    $response = $client->get(script('a', [['action' => 'echo']], $on));
    assert_same([$version, 'localhost', $protocol], [$response->json()['tls']['version'], $response->json()['tls']['sni'], $response->protocol], $on);
}
$address = str_replace('localhost', '127.0.0.1', script('a', [['body' => 'x']], 'https'));
assert_same('x', $client->get($address)->body, 'by its address');
done();
?>
--EXPECT--
done
