--TEST--
throwOnGiveUp: false hands back the last response when the wait does not fit
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(budget: 1.0, throwOnGiveUp: false);
$response = $client->get(script('a', [['status' => 429, 'body' => 'x', 'headers' => [['Retry-After', '9']]]]));
assert_same([429, 'x', 9.0, 'budget-exceeded'], [$response->status, $response->body, $response->retryAfter, $response->attempts[0]->reason->value]);
thrown_by(fn() => $client->get(script('b', [['action' => 'stall']]), limitKey: 'b'), RetryClient\BudgetExceededException::class);
done();
?>
--EXPECT--
done
