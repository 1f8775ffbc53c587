--TEST--
A symbolic link stays one, and what it points to is replaced
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
mkdir("$folder/data");
file_put_contents("$folder/data/real", 'old');
symlink("$folder/data/real", "$folder/link");
symlink("$folder/data/new", "$folder/dangling");
$url = script('a', [['body' => 'x']]);
$client = new RetryClient();
$client->get($url, sink: "$folder/link");
assert_same([true, 'x'], [is_link("$folder/link"), file_get_contents("$folder/data/real")], 'link');
$client->get($url, sink: "$folder/dangling");
assert_same('x', file_get_contents("$folder/dangling"), 'a link to a file that is not there yet');
done();
?>
--EXPECT--
done
