--TEST--
stats(): what was sent, refused and held back, and when a gate opens
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$url = script('a', [[], [], ['status' => 429, 'headers' => [['Retry-After', '0.6']]], []]);
$client = new RetryClient(maxAttempts: 1, throwOnGiveUp: false, headers: ['Authorization' => 'Bearer one']);
$ask = static fn() => $client->post($url, json: ['model' => 'some/model']);
$ask();
$ask();
$ask();
$key = key_of(null);
assert_same([server('http'), 'some/model', null], [$key['origin'], $key['model'], $key['limit']]);
assert_same([3, 2, 1, 0], [$key['sent'], $key['accepted'], $key['refused'], $key['waiting']]);
assert_between(0.3, 0.6, $key['opensIn'] ?? 0.0, 'opensIn');
assert_same(0.0, $key['held'], 'held');

$response = $ask();
$after = key_of(null);
assert_same([$key['id'], 4, 3, 1], [$after['id'], $after['sent'], $after['accepted'], $after['refused']]);
assert_same(null, $after['opensIn'], 'open');
assert_between($response->attempts[0]->paced - 0.05, $response->attempts[0]->paced + 0.05, $after['held'], 'held');

// Another account is another entry; so is each rule of the caller's limit.
$other = $client->with(headers: ['Authorization' => 'Bearer two'], limit: '2/s burst 3, 7 per 10s, 60/min burst 5, 5 at once');
$other->get($url);
$other->get("$url/another/path");
foreach (['2/s burst 3', '7 per 10s', '60/min burst 5', '5 at once'] as $rule) {
    $key = key_of($rule);
    assert_same([server('http'), null, null, 2], [$key['origin'], $key['model'], $key['opensIn'], $key['sent']], $rule);
}
assert_same(3, count(keys_of(null)), 'two scopes more');
assert_same(count(RetryClient::stats()['keys']), count(array_unique(array_column(RetryClient::stats()['keys'], 'id'))), 'each has an id of its own');
done();
?>
--EXPECT--
done
