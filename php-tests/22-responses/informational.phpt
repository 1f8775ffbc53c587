--TEST--
1xx responses are skipped
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$response = $client->post(script('a', [['informational' => [100, ['status' => 103, 'headers' => [['Link', '</a>']]], 102], 'status' => 202, 'body' => 'ok']]), body: 'x');
assert_same([202, 'ok', null, 1], [$response->status, $response->body, $response->header('link'), count($response->attempts)]);
$response = $client->get(script('b', [['informational' => array_fill(0, 20, 103), 'body' => 'ok']]));
assert_same('ok', $response->body, 'many of them');
done();
?>
--EXPECT--
done
