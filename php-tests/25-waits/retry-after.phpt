--TEST--
Retry-After in all its forms is obeyed, and never before it is due
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 5.0, jitter: 0.0);
$forms = [
    'a fraction' => [[['Retry-After', '0.15']], 0.15],
    'milliseconds' => [[['retry-after-ms', '150']], 0.15],
    'a fraction of a millisecond' => [[['retry-after-ms', '150.5']], 0.1505],
    "Azure's milliseconds" => [[['x-ms-retry-after-ms', '150']], 0.15],
    'milliseconds come first' => [[['Retry-After', '9'], ['retry-after-ms', '120']], 0.12],
    'the largest of several lines' => [[['Retry-After', '0.05'], ['Retry-After', '0.2'], ['Retry-After', 'x'], ['Retry-After', '0.1']], 0.2],
    'broken milliseconds, good seconds' => [[['retry-after-ms', 'soon'], ['Retry-After', '0.1']], 0.1],
    'leading zeros' => [[['Retry-After', '000.1']], 0.1],
    'blanks around it' => [[['Retry-After', " \t0.1 "]], 0.1],
];
foreach ($forms as $what => [$headers, $expected]) {
    $response = $client->get(script('a', [['status' => 429, 'headers' => $headers], []]));
    assert_same([$expected, 'retry-after'], [$response->attempts[0]->wait, $response->attempts[0]->reason->value], $what);
    assert_between($expected, $expected + 0.3, gaps(received('a', 2))[0], "$what: gap");
}
$response = $client->get(script('a', [['status' => 429, 'headers' => [['Retry-After', '1']]], []]));
assert_between(1.0, 1.3, gaps(received('a', 2))[0], 'one second');
done();
?>
--EXPECT--
done
