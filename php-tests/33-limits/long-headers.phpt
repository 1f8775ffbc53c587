--TEST--
Large request headers are sent as they are
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient(maxAttempts: 1);
$client->get($url, ['X-Large' => str_repeat('x', 15_000)]);
assert_same(15_000, strlen(header_of(received('a', 1)[0], 'X-Large')));
$many = [];
for ($i = 0; $i < 80; $i++) {
    $many["X-$i"] = (string) $i;
}
$client->get($url, $many);
assert_same('79', header_of(received('a', 2)[1], 'X-79'));
done();
?>
--EXPECT--
done
