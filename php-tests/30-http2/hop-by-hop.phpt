--TEST--
Headers of one connection do not break HTTP/2
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), maxAttempts: 1);
$response = $client->get(script('a', [['body' => 'x']], 'h2'), ['Connection' => 'keep-alive', 'Keep-Alive' => '5', 'Upgrade' => 'h2c', 'TE' => 'trailers', 'Proxy-Connection' => 'x', 'X-Stays' => '1']);
assert_same('x', $response->body);
[$entry] = received('a', 1);
assert_same([null, '1'], [header_of($entry, 'Connection'), header_of($entry, 'X-Stays')]);
done();
?>
--EXPECT--
done
