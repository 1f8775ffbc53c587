--TEST--
A cut attempt tells of the response before it
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 503, 'body' => 'busy', 'headers' => [['X-A', '1']]], ['action' => 'stall']]);
$client = new RetryClient(budget: 0.4, baseDelay: 0.1, jitter: 0.0);
$seconds = seconds(fn() => $client->get($url), $thrown);
assert_between(0.4, 0.6, $seconds, 'seconds');
assert_same([503, 'busy', ['backoff', 'budget-exceeded']], [$thrown->response?->status, $thrown->response?->body, array_map(fn($a) => $a->reason->value, $thrown->attempts)]);
assert_same(RetryClient\BudgetExceededException::class, get_debug_type(thrown_by(fn() => $client->with(throwOnGiveUp: false)->get(script('b', [['status' => 503], ['action' => 'stall']])))), 'also with throwOnGiveUp: false');
done();
?>
--EXPECT--
done
