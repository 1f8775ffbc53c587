--TEST--
shared_memory empty: each process for itself
--EXTENSIONS--
retry_client
pcntl
posix
--INI--
retry_client.shared_memory=
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$url = script('a', [[]]);
$client = new RetryClient(limit: '2/s');
$paced = static fn() => $client->get($url)->attempts[0]->paced;
assert_same(0.0, $paced(), 'the first');
assert_between(0.3, 0.6, $paced(), 'held back by it');
assert_same([0.0, 0.0], together(2, static fn() => $paced()), 'children begin anew');
$code = '$response = (new RetryClient(limit: "2/s"))->get($argv[1]); echo json_encode([$response->attempts[0]->paced == 0, RetryClient::stats()["state"]["path"]]);';
assert_same([true, null], php_says([], $code, $url), 'another PHP');
assert_same(['shared' => false, 'path' => null, 'reason' => null, 'processes' => 1, 'full' => false], RetryClient::stats()['state']);
assert_same(2, key_of('2/s')['sent'], 'its own requests only');
done();
?>
--EXPECT--
done
