--TEST--
A 429 that waiting cannot cure stops
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, maxAttempts: 2, throwOnGiveUp: false);
$attempts = fn(string $body, int $status = 429, array $more = []) => $client->post(script('a', [['status' => $status, 'body' => $body, ...$more]]))->attempts;
$quota = json_encode(['error' => ['message' => 'You exceeded your current quota', 'type' => 'insufficient_quota', 'code' => 'insufficient_quota']]);
foreach ([
    'OpenAI' => $quota,
    'billing' => '{"error":{"code":"billing_hard_limit_reached"}}',
    'Anthropic' => '{"type":"error","error":{"type":"rate_limit_error","details":{"error_code":"enforced_spend_limit_reached"}}}',
    'OpenRouter' => '{"error":{"message":"Rate limit exceeded: free-models-per-day. Add credits","code":429}}',
    'Google' => '{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.01s"}]}}',
] as $whose => $body) {
    $made = $attempts($body);
    assert_same([1, 'not-retryable'], [count($made), $made[0]->reason->value], $whose);
}
assert_same(1, count($attempts($quota, more: ['headers' => [['Retry-After', '0.01']]])), 'whatever Retry-After says');
assert_same(1, count($attempts($quota, more: ['encoding' => 'gzip'])), 'compressed');
assert_same(1, count($attempts($quota, more: ['drip' => ['bytes' => 50, 'every_ms' => 30]])), 'in pieces');
assert_same(2, count($attempts('{"error":{"message":"insufficient_quota"}}')), 'prose is not read');
assert_same(2, count($attempts('insufficient_quota')), 'no JSON');
assert_same(2, count($attempts($quota, 503)), 'only a 429');
assert_same(2, count($attempts($quota . str_repeat(' ', 65536))), 'more than 64 KiB is not looked at');
$first = str_pad($quota, 65536);
assert_same(2, count($attempts("$first  ", more: ['drip' => ['bytes' => 65536, 'every_ms' => 50]])), 'even if it comes in two pieces');
done();
?>
--EXPECT--
done
