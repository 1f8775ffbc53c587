--TEST--
A redirect's body is read, so that its connection can go on
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$to = script('to', [[]]);
$from = script('from', [['action' => 'redirect', 'location' => $to, 'body' => 'moved here']]);
$client = new RetryClient();
for ($i = 0; $i < 5; $i++) {
    $client->get($from);
}
$connections = array_column([...received('from', 5), ...received('to', 5)], 'connection');
assert_same(1, count(array_unique($connections)), 'connections');
done();
?>
--EXPECT--
done
