--TEST--
A path gets the body, and Response::$body is empty
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$path = folder() . '/out';
$url = script('a', [['body_repeat' => ['0123456789', 500_000], 'headers' => [['X-A', '1']]]]);
$response = (new RetryClient())->get($url, sink: $path);
assert_same([200, '', '1'], [$response->status, $response->body, $response->header('x-a')], 'response');
assert_same(hash('sha256', str_repeat('0123456789', 500_000)), hash_file('sha256', $path), 'file');
assert_same(['out'], array_values(array_diff(scandir(dirname($path)), ['.', '..'])), 'nothing else is left in the folder');
done();
?>
--EXPECT--
done
