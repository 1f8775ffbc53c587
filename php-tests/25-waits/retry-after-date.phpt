--TEST--
Retry-After as a date counts from the response's Date when the clocks differ
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$seen = [];
$client = new RetryClient(baseDelay: 9.0, jitter: 0.0, maxRetryAfter: 5.0, onOutcome: function ($attempt, $response) use (&$seen) { $seen[] = $response?->retryAfter; });
[$past, $later] = array_map(fn($time) => gmdate('D, d M Y H:i:s', $time) . ' GMT', [1_000_000_000, 1_000_000_001]);
$response = $client->get(script('other-clock', [['status' => 503, 'headers' => [['Date', $past], ['Retry-After', $later]]], []]));
assert_same([1.0, 'retry-after', [1.0, null]], [$response->attempts[0]->wait, $response->attempts[0]->reason->value, $seen], 'another clock');
assert_between(1.0, 1.3, gaps(received('other-clock', 2))[0], 'another clock: gap');

foreach (['http_date', 'rfc850', 'asctime'] as $form) {
    $seen = [];
    $response = $client->with(maxRetryAfter: 0.05)->get(script($form, [['status' => 503, 'headers' => [['Date', '{{http_date}}'], ['Retry-After', "{{{$form}+100}}"]]], []]));
    assert_same([0.05, 'retry-after'], [$response->attempts[0]->wait, $response->attempts[0]->reason->value], $form);
    assert_between(98.9, 100.1, $seen[0], "$form: seconds");
}
done();
?>
--EXPECT--
done
