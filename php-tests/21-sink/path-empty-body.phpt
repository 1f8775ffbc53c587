--TEST--
A response without body makes an empty file
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
$url = script('a', [['status' => 204]]);
(new RetryClient())->get($url, sink: "$folder/out");
assert_same('', file_get_contents("$folder/out"), '204');
(new RetryClient())->head($url, sink: "$folder/head");
assert_same('', file_get_contents("$folder/head"), 'HEAD');
done();
?>
--EXPECT--
done
