--TEST--
Only the final response's body goes into the file
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$client->get(script('a', [['status' => 503, 'body' => 'busy'], ['action' => 'half', 'body' => 'hello world'], ['body' => 'good']]), sink: "$folder/out");
assert_same('good', file_get_contents("$folder/out"), 'file');
$client->get(script('b', [['action' => 'redirect', 'location' => '/' . script_name('c'), 'body' => 'moved']]) . (script('c', [['body' => 'there']]) ? '' : ''), sink: "$folder/out");
assert_same('there', file_get_contents("$folder/out"), 'after a redirect');
done();
?>
--EXPECT--
done
