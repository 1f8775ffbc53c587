--TEST--
The caller's key stays, others get none, and idempotencyKey: false gives none
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$sent = fn() => array_map(fn($entry) => header_of($entry, 'Idempotency-Key'), received('a', 2));
$steps = [['status' => 503], []];
$client->post(script('a', $steps), ['idempotency-key' => 'mine']);
assert_same(['mine', 'mine'], $sent(), 'of the call');
(new RetryClient(headers: ['IDEMPOTENCY-KEY' => 'ours'], baseDelay: 0.0, jitter: 0.0))->post(script('a', $steps));
assert_same(['ours', 'ours'], $sent(), 'of the client');
$client->with(idempotencyKey: false)->post(script('a', $steps));
assert_same([null, null], $sent(), 'switched off');
foreach (['GET', 'PUT', 'DELETE', 'HEAD', 'PROPFIND'] as $method) {
    $client->send($method, script('a', $steps));
    assert_same([null, null], $sent(), $method);
}
done();
?>
--EXPECT--
done
