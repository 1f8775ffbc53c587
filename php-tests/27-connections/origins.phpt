--TEST--
Another origin is another connection
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$name = script_name('a');
script('a', [[]]);
foreach ([server('http'), server('control'), str_replace('127.0.0.1', 'localhost', server('http'))] as $origin) {
    $client->get("$origin/$name");
    $client->get("$origin/$name");
}
$connections = array_column(received('a', 6), 'connection');
assert_same([true, true, true], [$connections[0] === $connections[1], $connections[2] === $connections[3], $connections[4] === $connections[5]], 'used again');
assert_same(3, count(array_unique($connections)), 'connections');
done();
?>
--EXPECT--
done
