--TEST--
Outside the web request_budget is ignored
--EXTENSIONS--
retry_client
--INI--
retry_client.request_budget=0.2
--FILE--
<?php
require __DIR__ . '/../support.php';

$response = (new RetryClient())->get(script('a', [['delay_ms' => 400, 'body' => 'ok']]));
assert_same('ok', $response->body);
done();
?>
--EXPECT--
done
