--TEST--
php://output takes the body, output buffers included
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body' => 'hello', 'encoding' => 'gzip']]);
ob_start(fn(string $buffer) => strtoupper($buffer));
(new RetryClient())->get($url, sink: fopen('php://output', 'w'));
ob_end_flush();
echo "\n";
?>
--EXPECT--
HELLO
