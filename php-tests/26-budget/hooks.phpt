--TEST--
Time that hooks take counts
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(budget: 0.3, baseDelay: 0.0, jitter: 0.0, onRetry: fn() => usleep(350_000));
$thrown = thrown_by(fn() => $client->get(script('a', [['status' => 503, 'body' => 'busy'], []])), RetryClient\BudgetExceededException::class);
assert_same(['busy', 0.0, 1], [$thrown?->response?->body, $thrown->left, count(received('a'))], 'onRetry');
$client = new RetryClient(budget: 0.3, onAttempt: function () { usleep(350_000); return null; });
$thrown = thrown_by(fn() => $client->get(script('b', [[]])), RetryClient\BudgetExceededException::class);
assert_same([null, [], 0], [$thrown?->response, $thrown->attempts, count(received('b'))], 'onAttempt');
done();
?>
--EXPECT--
done
