--TEST--
A hook sees no body that does not fit, and a body kept by one counts
--EXTENSIONS--
retry_client
--INI--
memory_limit=32M
--FILE--
<?php
require __DIR__ . '/../support.php';

$kept = [];
$client = new RetryClient(maxAttempts: 1, onOutcome: function ($attempt, $response) use (&$kept) { $kept[] = $response; });
$thrown = thrown_by(fn() => $client->get(server('http') . '/bytes/20000000?chunked=1'), RetryClient\NetworkException::class);
assert_same(['too-large', 20_000_000], [$thrown?->kind, strlen($kept[0]->body)], 'there is room for one of the two');
assert_same(700_000, strlen($client->get(server('http') . '/bytes/700000')->body), 'a small one fits twice');
assert_same(700_000, strlen($kept[1]->body), 'and the hook saw it');

$kept = [];
$response = $client->get(server('http') . '/bytes/20000000');
assert_same([20_000_000, true], [strlen($response->body), $kept[0]->body === $response->body], 'of known length it is held once for both');
done();
?>
--EXPECT--
done
