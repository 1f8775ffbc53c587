--TEST--
A 200 whose body breaks is a lost answer: a GET is tried again, a POST is not
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$steps = [['action' => 'half', 'body' => 'hello world'], ['body' => 'hello world']];
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
assert_same(['hello world', 2], [($r = $client->get(script('a', $steps)))->body, count($r->attempts)], 'GET');
thrown_by(fn() => $client->post(script('a', $steps)), RetryClient\NetworkException::class);
assert_same(1, count(received('a')), 'POST');
assert_same('hello world', $client->post(script('a', $steps), ['Idempotency-Key' => 'mine'])->body, 'POST with a key of its own');
done();
?>
--EXPECT--
done
