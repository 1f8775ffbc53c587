--TEST--
Connections outlive the objects
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
for ($i = 0; $i < 3; $i++) {
    $client = new RetryClient();
    $client->get($url);
    unset($client);
    gc_collect_cycles();
}
assert_same(1, count(array_unique(array_column(received('a', 3), 'connection'))));
done();
?>
--EXPECT--
done
