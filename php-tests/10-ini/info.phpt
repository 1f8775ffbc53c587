--TEST--
php --ri: one table, then the directives
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/php.inc';

echo php(['retry_client.request_budget' => '25', 'retry_client.shared_memory' => ''], '--ri', 'retry_client');
?>
--EXPECTF--
retry_client

retry_client => enabled
Version => %d.%d.%d
HTTP library => reqwest %d.%d.%d
TLS library => rustls %d.%d.%d
Features => HTTP/1.1, HTTP/2, gzip, deflate, brotli, zstd, SOCKS
Shared state => per process%S
Processes sharing it => 1

Directive => Local Value => Master Value
retry_client.request_budget => 25 => 25
retry_client.max_waiting => auto => auto
retry_client.shared_memory => no value => no value
retry_client.ca_file => no value => no value
