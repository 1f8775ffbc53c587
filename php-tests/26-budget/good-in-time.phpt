--TEST--
A budget that suffices changes nothing
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$response = (new RetryClient(budget: 5.0, baseDelay: 0.05, jitter: 0.0))->get(script('a', [['status' => 503, 'times' => 2], ['body' => 'ok']]));
assert_same(['ok', 3], [$response->body, count($response->attempts)]);
assert_between(0.1499, 0.1501, $response->waited, 'waited');
done();
?>
--EXPECT--
done
