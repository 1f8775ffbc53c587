--TEST--
A long URI is sent or refused, never a crash
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 1);
$url = script('a', [[]]);
$client->get("$url?" . str_repeat('x', 6_000));
assert_same(6_000, strlen(explode('?', received('a', 1)[0]['target'])[1]), 'arrived');
foreach (['query' => "$url?", 'path' => "$url/"] as $where => $start) {
    $thrown = thrown_by(fn() => $client->get($start . str_repeat('x', 70_000)));
    assert_true($thrown instanceof ValueError || $thrown instanceof RetryClient\NetworkException, "in the $where: " . get_debug_type($thrown) . ': ' . substr((string) $thrown?->getMessage(), 0, 200));
}
$thrown = thrown_by(fn() => $client->get('http://' . str_repeat('a', 300) . '.test/'));
assert_true($thrown instanceof ValueError || $thrown instanceof RetryClient\NetworkException, 'a long host: ' . get_debug_type($thrown));
done();
?>
--EXPECT--
done
