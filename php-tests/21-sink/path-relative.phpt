--TEST--
A relative path is taken from the working directory
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
mkdir("$folder/sub");
chdir("$folder/sub");
(new RetryClient())->get(script('a', [['body' => 'x']]), sink: '../out');
assert_same('x', file_get_contents("$folder/out"), 'file');
done();
?>
--EXPECT--
done
