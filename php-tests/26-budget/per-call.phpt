--TEST--
The budget is each call's own
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(budget: 0.3);
$url = script('a', [['delay_ms' => 200, 'body' => 'x']]);
for ($i = 0; $i < 4; $i++) {
    assert_same('x', $client->get($url)->body, "call $i");
}
done();
?>
--EXPECT--
done
