--TEST--
A response knows where it came from and how long it took
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body_json' => ['a' => [1, 2]], 'delay_ms' => 100]]);
$seconds = seconds(fn() => (new RetryClient())->get("$url/x?q=1#f"), $response);
assert_same(['a' => [1, 2]], $response->json(), 'json');
assert_same('application/json', $response->header('content-type'), 'type');
assert_same("$url/x?q=1", $response->uri, 'uri');
assert_same([0.0, null], [$response->waited, $response->retryAfter], 'waited');
assert_between(0.1, $seconds, $response->elapsed, 'elapsed');
[$attempt] = $response->attempts;
assert_same([1, 200, null, 0.0, 0.0, RetryClient\Reason::Answered], [$attempt->number, $attempt->status, $attempt->error, $attempt->wait, $attempt->paced, $attempt->reason], 'attempt');
assert_between(0.1, $response->elapsed, $attempt->duration, 'duration');
assert_between(-1.0, 0.01, $attempt->startedAt + $seconds - microtime(true), 'started at');
done();
?>
--EXPECT--
done
