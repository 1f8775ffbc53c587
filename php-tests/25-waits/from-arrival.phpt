--TEST--
A server's wish counts from the arrival of the headers, not from the end of the body
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(jitter: 0.0);
$response = $client->get(script('a', [['status' => 429, 'headers' => [['Retry-After', '0.6']], 'body' => '{"error":{}}', 'body_delay_ms' => 400], []]));
assert_same(0.6, $response->attempts[0]->wait, 'wait');
assert_between(0.6, 0.85, gaps(received('a', 2))[0], 'gap');
done();
?>
--EXPECT--
done
