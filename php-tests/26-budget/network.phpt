--TEST--
After a failure without response there is none to carry
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(budget: 0.3, baseDelay: 1.0, jitter: 0.0);
$thrown = thrown_by(fn() => $client->get(script('a', [['action' => 'drop']])), RetryClient\BudgetExceededException::class);
assert_same([null, null, 1, 'budget-exceeded'], [$thrown?->response, $thrown->retryAfter, count($thrown->attempts), $thrown->attempts[0]->reason->value]);
assert_same('reset', $thrown->getPrevious()?->kind, 'previous');
assert_between(1.0, 1.0, $thrown->needed, 'needed');
done();
?>
--EXPECT--
done
