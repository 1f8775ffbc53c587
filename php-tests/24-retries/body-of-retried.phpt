--TEST--
A retried response keeps its body for the hooks only if it is there
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$seen = [];
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, onOutcome: function ($attempt, $response) use (&$seen) { $seen[] = $response?->body; });
$client->get(script('a', [['status' => 429, 'body' => 'busy'], ['status' => 500, 'body' => 'late', 'body_delay_ms' => 3000], ['action' => 'drop'], ['body' => 'ok']]));
assert_same(['busy', '', null, 'ok'], $seen);
done();
?>
--EXPECT--
done
