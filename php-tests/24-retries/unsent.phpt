--TEST--
A request that was proven not to be sent is tried again for every method
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$refused = server('refused');
$client = new RetryClient(maxAttempts: 3, baseDelay: 0.0, jitter: 0.0);
$thrown = thrown_by(fn() => $client->post($refused, body: 'x'), RetryClient\NetworkException::class);
assert_same(['network', 'network', 'attempts-exhausted'], array_map(fn($a) => $a->reason->value, $thrown->attempts), 'refused');
assert_same([null, null, null], array_map(fn($a) => $a->status, $thrown->attempts), 'status');
done();
?>
--EXPECT--
done
