--TEST--
Retry-After as a date counts from the response's Date when the clocks differ
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 9.0, jitter: 0.0, maxRetryAfter: 5.0);
$past = gmdate('D, d M Y H:i:s', 1_000_000_000) . ' GMT';
$later = gmdate('D, d M Y H:i:s', 1_000_000_001) . ' GMT';
$response = $client->get(script('other-clock', [['status' => 503, 'headers' => [['Date', $past], ['Retry-After', $later]]], []]));
assert_same([1.0, 'retry-after'], [$response->attempts[0]->wait, $response->attempts[0]->reason->value], 'another clock');
assert_between(1.0, 1.3, gaps(received('other-clock', 2))[0], 'another clock: gap');
foreach (['http_date', 'rfc850', 'asctime'] as $form) {
    $response = $client->get(script($form, [['status' => 503, 'headers' => [['Date', '{{http_date}}'], ['Retry-After', "{{{$form}+2}}"]]], []]));
    assert_same('retry-after', $response->attempts[0]->reason->value, $form);
    assert_between(0.9, 2.0, $response->attempts[0]->wait, "$form: wait");
    assert_between($response->attempts[0]->wait - 0.05, $response->attempts[0]->wait + 0.3, gaps(received($form, 2))[0], "$form: gap");
}
done();
?>
--EXPECT--
done
