--TEST--
More than maxRedirects is a failure that is not tried again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
assert_same(200, $client->get(server('http') . '/redirect/5')->status, 'five');
$thrown = thrown_by(fn() => $client->get(server('http') . '/redirect/6'), RetryClient\NetworkException::class);
assert_same(['redirect', 1], [$thrown?->kind, count($thrown->attempts)], 'six');
assert_same(200, $client->with(maxRedirects: 6)->get(server('http') . '/redirect/6')->status, 'six of six');

$loop = script('loop', [['action' => 'redirect', 'location' => '/' . script_name('loop')]]);
$thrown = thrown_by(fn() => $client->with(maxRedirects: 20)->get($loop), RetryClient\NetworkException::class);
assert_same(['redirect', 21], [$thrown?->kind, count(received('loop'))], 'a loop');
done();
?>
--EXPECT--
done
