--TEST--
What is no wish leaves the backoff as it is
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.05, jitter: 0.0);
$past = gmdate('D, d M Y H:i:s', time() - 3600) . ' GMT';
foreach (['', '0', '0.0', '-1', '+1', '1e9', '0x10', 'NaN', 'inf', 'tomorrow', '1s', '1,5', '12345678901234567890x', '1 2', '.5', '5.', $past, 'Mon, 01 Jan 2999 00:00:00 GMT', "\u{ff}"] as $value) {
    $response = $client->get(script('a', [['status' => 429, 'headers' => [['Retry-After', $value]]], []]), limitKey: "Retry-After $value");
    assert_same([0.05, 'backoff'], [$response->attempts[0]->wait, $response->attempts[0]->reason->value], "Retry-After: $value");
}
foreach (['', '0', '-5', 'NaN', '1e3', 'x'] as $value) {
    $response = $client->get(script('a', [['status' => 429, 'headers' => [['retry-after-ms', $value]]], []]), limitKey: "retry-after-ms $value");
    assert_same([0.05, 'backoff'], [$response->attempts[0]->wait, $response->attempts[0]->reason->value], "retry-after-ms: $value");
}
assert_between(0.05, 0.3, gaps(received('a', 2))[0], 'gap');
done();
?>
--EXPECT--
done
