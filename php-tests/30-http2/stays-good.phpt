--TEST--
A stalled or broken stream does not harm the connection's other calls
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), maxAttempts: 1);
$good = script('good', [['body' => 'ok']], 'h2');
$client->get($good);
thrown_by(fn() => $client->with(timeout: 0.1)->get(script('stall', [['action' => 'stall']], 'h2')), RetryClient\NetworkException::class);
thrown_by(fn() => $client->get(script('refused', [['action' => 'refuse_stream', 'error_code' => 'CANCEL']], 'h2')), RetryClient\NetworkException::class);
$client->get($good);
assert_same(1, count(array_unique(array_column(received('good', 2), 'connection'))));
done();
?>
--EXPECT--
done
