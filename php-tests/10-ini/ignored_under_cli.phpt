--TEST--
request_budget is ignored under cli
--EXTENSIONS--
retry_client
--INI--
retry_client.request_budget=0.05
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Reason;

$client = new RetryClient(jitter: 0);
$response = $client->get(script('a', [['status' => 503, 'delay_ms' => 100], []]));
assert_same([200, Reason::Backoff], [$response->status, $response->attempts[0]->reason]);
assert_between(0.5, 30, $response->waited, 'waited');

// A wish far beyond it is waited for, too, as long as the client's own options allow.
$told = null;
$client = $client->with(throwOnGiveUp: false, onRetry: static function ($attempt, float $wait) use (&$told) { $told = $wait; return false; });
$client->get(script('b', [['status' => 429, 'headers' => [['Retry-After', '29']]]]));
assert_between(28, 29, $told, 'wait');
done();
?>
--EXPECT--
done
