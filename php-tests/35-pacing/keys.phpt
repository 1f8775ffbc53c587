--TEST--
A limit counts per origin and account; limitKey names what it counts
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$held = static fn(callable $call) => $call()->attempts[0]->paced > 0.2;
$client = new RetryClient(limit: '1/s', headers: ['Authorization' => 'Bearer one']);
assert_same(false, $held(fn() => $client->get($url)), 'the first');
assert_same(false, $held(fn() => $client->get($url, ['Authorization' => 'Bearer two'])), 'another account');
assert_same(false, $held(fn() => $client->get(server('control') . '/' . script_name('a'))), 'another origin');
assert_same(false, $held(fn() => $client->with(limit: '60/min')->get($url)), 'another text of a limit');
assert_same(false, $held(fn() => $client->get($url, limitKey: 'x')), 'a key');
assert_same(true, $held(fn() => (new RetryClient(limit: '1/s'))->get($url, ['authorization' => 'Bearer two'])), 'another object, the same account');
assert_same(false, $held(fn() => $client->get($url)), 'a second later');
assert_same(true, $held(fn() => $client->get("$url/another/path")), 'the same account, another path');
assert_same(true, $held(fn() => $client->post($url, json: ['model' => 'm'])), 'the same account, a model');

// A key joins what would be apart.
$a = new RetryClient(limit: '2/s', limitKey: 'joined', headers: ['Authorization' => 'Bearer three']);
$b = new RetryClient(limit: '2/s', headers: ['X-Api-Key' => 'four']);
assert_same(false, $held(fn() => $a->get($url)), 'the first under the key');
assert_same(true, $held(fn() => $b->get("$url/b", limitKey: 'joined')), 'another account, path and object');
assert_same(false, $held(fn() => $b->get("$url/b")), 'without the key');
assert_same(false, $held(fn() => $a->with(limitKey: null)->get($url)), 'the key taken away');
assert_same(true, $held(fn() => $a->with(headers: [])->get($url)), 'the key kept');
assert_same(false, $held(fn() => $a->with(limitKey: 'Joined')->get($url)), 'keys are bytes');
done();
?>
--EXPECT--
done
