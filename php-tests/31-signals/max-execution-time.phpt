--TEST--
max_execution_time counts CPU time: a wait does not use it up
--EXTENSIONS--
retry_client
--INI--
max_execution_time=1
--FILE--
<?php
require __DIR__ . '/../support.php';

$response = (new RetryClient(jitter: 0.0))->get(script('a', [['status' => 429, 'headers' => [['Retry-After', '1.3']]], ['body' => 'ok']]));
assert_same(['ok', 1.3], [$response->body, $response->waited]);
done();
?>
--EXPECT--
done
