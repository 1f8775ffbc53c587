--TEST--
stats(): the shape that the stub documents
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$is = static fn(string $types) => static fn(mixed $value): bool => in_array(get_debug_type($value), explode('|', $types), true);
$check = static function (array $value, array $shape, string $what): void {
    assert_same(array_keys($shape), array_keys($value), "$what: keys");
    foreach ($shape as $name => $holds) {
        assert_true($holds($value[$name] ?? null), "$what: $name is " . show($value[$name] ?? null));
    }
};
$state = ['shared' => $is('bool'), 'path' => $is('string|null'), 'reason' => $is('string|null'), 'processes' => $is('int'), 'full' => $is('bool')];
$key = [
    'id' => static fn($id) => is_string($id) && preg_match('/^[0-9a-f]{16}$/D', $id),
    'origin' => $is('string'), 'model' => $is('string|null'), 'limit' => $is('string|null'), 'rate' => $is('float|null'),
    'window' => static fn($window) => $window === null || array_map(get_debug_type(...), $window) === ['limit' => 'float', 'seconds' => 'float'],
    'atOnce' => $is('int|null'), 'opensIn' => $is('float|null'), 'sent' => $is('int'), 'accepted' => $is('int'), 'refused' => $is('int'),
    'held' => $is('float'), 'waiting' => $is('int'),
];

assert_same(['state', 'keys'], array_keys(RetryClient::stats()));
assert_same([], RetryClient::stats()['keys'], 'before the first call');
$client = new RetryClient(maxAttempts: 1, throwOnGiveUp: false, limit: '1000/s burst 5, 10 per 1ms, 5 at once');
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.1']]], []]);
$client->get($url);
$client->post($url, json: ['model' => 'some model']);
$stats = $client->stats();
$check($stats['state'], $state, 'state');
assert_true(array_is_list($stats['keys']), 'a list');
foreach ($stats['keys'] as $number => $entry) {
    $check($entry, $key, "key $number");
}
assert_true(json_encode($stats) !== false, 'it can be encoded');
// A changed copy changes nothing.
$stats['state']['path'] = 'x';
assert_true(RetryClient::stats()['state']['path'] !== 'x', 'an array of its own');
assert_same(get_debug_type(RetryClient::stats(...)), 'Closure');
done();
?>
--EXPECT--
done
