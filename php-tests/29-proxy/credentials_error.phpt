--TEST--
Without credentials a proxy that asks for them is an answer, or no connection
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(proxy: server('proxy_auth'), verify: server('ca'), maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
assert_same(407, $client->get(script('a', [[]]))->status, 'http');
$wrong = $client->with(proxy: str_replace('http://', 'http://user:s3cret-wrong@', server('proxy_auth')));
assert_same(407, $wrong->get(script('a', [[]]))->status, 'wrong');
foreach ([$client, $wrong] as $refused) {
    $thrown = thrown_by(fn() => $refused->get(script('b', [[]], 'https')), RetryClient\NetworkException::class);
    assert_same('connect', $thrown?->kind, 'https');
    assert_not_contains('s3cret', $thrown->getMessage(), 'message');
}
assert_same([[], []], [received('a'), received('b')], 'requests');
done();
?>
--EXPECT--
done
