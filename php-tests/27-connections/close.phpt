--TEST--
Connection: close is obeyed
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body' => 'x', 'close' => true]]);
$client = new RetryClient();
for ($i = 0; $i < 5; $i++) {
    assert_same('x', $client->get($url)->body);
}
assert_same(5, count(array_unique(array_column(received('a', 5), 'connection'))));
done();
?>
--EXPECT--
done
