--TEST--
Google's RetryInfo in the body is a wish
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$body = ['error' => ['code' => 429, 'details' => [['@type' => 'type.googleapis.com/google.rpc.RetryInfo', 'retryDelay' => '0.087906927s']]]];
$client = new RetryClient(baseDelay: 5.0, jitter: 0.0);
foreach ([429, 503] as $status) {
    $response = $client->post(script('a', [['status' => $status, 'body_json' => $body], ['body' => 'ok']]));
    assert_same([0.087906927, 'retry-after'], [$response->attempts[0]->wait, $response->attempts[0]->reason->value], "$status");
    assert_between(0.087906927, 0.5, gaps(received('a', 2))[0], "$status: gap");
}
$response = $client->post(script('a', [['status' => 429, 'body_json' => [$body], 'headers' => [['Retry-After', '0.02']]], ['body' => 'ok']]));
assert_same(0.02, $response->attempts[0]->wait, 'a header comes first');
done();
?>
--EXPECT--
done
