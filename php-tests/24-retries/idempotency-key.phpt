--TEST--
POST and PATCH carry one Idempotency-Key on all attempts of a call
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$keys = [];
foreach (['POST', 'PATCH', 'POST'] as $method) {
    $client->send($method, script('a', [['status' => 429], ['status' => 503], []]));
    $sent = array_map(fn($entry) => header_of($entry, 'Idempotency-Key'), received('a', 3));
    assert_same(1, count(array_unique($sent)), "$method: one key");
    assert_same(1, preg_match('/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/', $sent[0]), "$method: UUIDv7");
    $keys[] = $sent[0];
}
assert_same(3, count(array_unique($keys)), 'another key for each call');
$time = hexdec(str_replace('-', '', substr($keys[2], 0, 13))) / 1000;
assert_between(microtime(true) - 5, microtime(true), $time, 'the time in it');
done();
?>
--EXPECT--
done
