--TEST--
A stream that is reset otherwise is a lost answer
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), baseDelay: 0.0, jitter: 0.0);
foreach (['INTERNAL_ERROR', 'CANCEL', 'ENHANCE_YOUR_CALM'] as $code) {
    $steps = [['action' => 'refuse_stream', 'error_code' => $code], ['body' => 'ok']];
    $response = $client->get(script('a', $steps, 'h2'));
    assert_same(['ok', 2, 'network'], [$response->body, count($response->attempts), $response->attempts[0]->reason->value], "$code: GET");
    $thrown = thrown_by(fn() => $client->post(script('a', $steps, 'h2')), RetryClient\NetworkException::class);
    assert_same(['reset', 1], [$thrown?->kind, count($thrown->attempts)], "$code: POST");
}
$steps = [['action' => 'half', 'body' => 'hello world'], ['body' => 'ok']];
assert_same('ok', $client->get(script('b', $steps, 'h2'))->body, 'in the body: GET');
assert_same('reset', thrown_by(fn() => $client->post(script('b', $steps, 'h2')))?->kind, 'in the body: POST');
$thrown = thrown_by(fn() => $client->with(maxAttempts: 1)->get(script('c', [['action' => 'drop']], 'h2')), RetryClient\NetworkException::class);
assert_same('reset', $thrown?->kind, 'the connection');
done();
?>
--EXPECT--
done
