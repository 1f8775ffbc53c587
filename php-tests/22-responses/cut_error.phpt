--TEST--
A body that ends too early is a failure, never a short body
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
$steps = [
    'half, closed' => ['action' => 'half', 'body' => 'hello world'],
    'half, reset' => ['action' => 'half', 'body' => 'hello world', 'end' => 'reset'],
    'head only' => ['action' => 'half', 'body' => 'hello world', 'send_bytes' => 0],
    'chunks without an end' => ['chunks' => ['a', 'b'], 'chunked' => true, 'chunk_fault' => 'no_end'],
];
foreach ($steps as $what => $step) {
    $thrown = thrown_by(fn() => $client->get(script('a', [$step])), RetryClient\NetworkException::class);
    assert_same(['reset', 2], [$thrown?->kind, count($thrown->attempts)], $what);
    assert_same([null, 'network', null, 'attempts-exhausted'], [$thrown->attempts[0]->status, $thrown->attempts[0]->reason->value, $thrown->attempts[1]->status, $thrown->attempts[1]->reason->value], "$what: attempts");
    assert_same('whole', $client->get(script('a', [$step, ['body' => 'whole']]))->body, "$what: second attempt");
    $thrown = thrown_by(fn() => $client->post(script('a', [$step])), RetryClient\NetworkException::class);
    assert_same(1, count($thrown->attempts), "$what: a POST is not sent again");
}
done();
?>
--EXPECT--
done
