--TEST--
A large body arrives whole
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$response = (new RetryClient())->get(script('a', [['body_repeat' => ['0123456789', 2_000_000]]]));
assert_same([20_000_000, hash('sha256', str_repeat('0123456789', 2_000_000))], [strlen($response->body), hash('sha256', $response->body)]);
done();
?>
--EXPECT--
done
