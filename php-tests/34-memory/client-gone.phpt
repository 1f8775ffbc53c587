--TEST--
A client may go while its call runs
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.01, jitter: 0.0, onRetry: function () use (&$client) { $client = null; gc_collect_cycles(); });
assert_same('ok', $client->get(script('a', [['status' => 503], ['body' => 'ok']]))->body);
assert_same(null, $client);
done();
?>
--EXPECT--
done
