--TEST--
Attempt::$paced and Response::$waited: what a limit adds to a retry
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

use RetryClient\Reason;

connect();
$url = script('a', [['status' => 500], [], ['status' => 500], []]);
$client = new RetryClient(limit: '2/s', baseDelay: 0.1, jitter: 0.0);
$response = $client->get($url);
[$first, $second] = $response->attempts;
assert_same([0.1, Reason::Backoff, 0.0], [$first->wait, $first->reason, $first->paced], 'the first');
assert_between(0.3, 0.42, $second->paced, 'the second waits for its turn when its own wait is over');
assert_between(0.49, 0.7, gaps(received('a', 2))[0], 'gap');
assert_between(0.000001 - $second->paced, 0.000001 + $second->paced, $response->waited - $first->wait, 'waited: both');
assert_between($first->wait + $second->paced - 0.000001, $first->wait + $second->paced + 0.000001, $response->waited, 'waited');

// A wait that is longer than the turn takes hides it.
$response = $client->with(baseDelay: 0.6)->get($url);
assert_between(0.3, 0.51, $response->attempts[0]->paced, 'the third');
assert_same(0.0, $response->attempts[1]->paced, 'the fourth');
// The hooks see it.
$seen = [];
$client->with(onOutcome: function ($attempt) use (&$seen) { $seen[] = $attempt->paced; })->get($url);
assert_between(0.3, 0.51, $seen[0] ?? 0.0, 'onOutcome');
done();
?>
--EXPECT--
done
