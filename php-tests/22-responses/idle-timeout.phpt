--TEST--
idleTimeout is not over as long as bytes come, and starts at the headers
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 1, idleTimeout: 0.3);
assert_same('abcdefgh', $client->get(script('a', [['body' => 'abcdefgh', 'drip' => ['every_ms' => 60]]]))->body, 'slow, but no silence');
assert_same('late', $client->get(script('a', [['body' => 'late', 'delay_ms' => 500]]))->body, 'silence before the headers');
done();
?>
--EXPECT--
done
