--TEST--
Giving up throws with the last response, or hands it back
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 500, 'body' => 'first'], ['status' => 429, 'body' => 'second', 'headers' => [['Retry-After', '0.01']]]]);
$client = new RetryClient(maxAttempts: 3, baseDelay: 0.0, jitter: 0.0);
$thrown = thrown_by(fn() => $client->post("$url?key=s3cret"), RetryClient\AttemptsExhaustedException::class);
assert_same("POST $url answered 429 Too Many Requests after 3 attempts", $thrown?->getMessage(), 'message');
assert_same([429, 'second', 0.01], [$thrown->response->status, $thrown->response->body, $thrown->response->retryAfter], 'response');
assert_same(['backoff', 'retry-after', 'attempts-exhausted'], array_map(fn($a) => $a->reason->value, $thrown->attempts), 'reasons');
assert_same(429, $thrown->getCode(), 'code');
assert_true($thrown instanceof RetryClient\HttpException && $thrown instanceof RetryClient\GaveUpException && $thrown instanceof RuntimeException, 'parents');

$response = $client->with(throwOnGiveUp: false)->post($url);
assert_same([429, 3, 'attempts-exhausted'], [$response->status, count($response->attempts), $response->attempts[2]->reason->value], 'handed back');
done();
?>
--EXPECT--
done
