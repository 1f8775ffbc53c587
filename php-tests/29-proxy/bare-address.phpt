--TEST--
A bare host:port is an http proxy
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['action' => 'echo']]);
$echo = (new RetryClient(proxy: substr(server('proxy'), 7)))->get($url)->json();
assert_contains('test-proxy', json_encode($echo['headers']));
done();
?>
--EXPECT--
done
