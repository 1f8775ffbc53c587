--TEST--
maxAttempts: 1 never tries again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 1);
thrown_by(fn() => $client->get(script('a', [['status' => 503, 'headers' => [['Retry-After', '20']]]])), RetryClient\AttemptsExhaustedException::class);
thrown_by(fn() => $client->get(script('b', [['action' => 'drop']]), limitKey: 'another'), RetryClient\NetworkException::class);
assert_same([1, 1], [count(received('a')), count(received('b'))]);
done();
?>
--EXPECT--
done
