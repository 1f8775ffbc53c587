--TEST--
php.ini: good values hold from the start
--EXTENSIONS--
retry_client
--INI--
retry_client.request_budget=12.5
retry_client.max_waiting=3
retry_client.shared_memory=/nowhere/at/all
retry_client.ca_file=/some/file.pem
--FILE--
<?php
require __DIR__ . '/../support.php';

assert_same(['12.5', '3', '/nowhere/at/all', '/some/file.pem'], array_map('ini_get', ['retry_client.request_budget', 'retry_client.max_waiting', 'retry_client.shared_memory', 'retry_client.ca_file']));
ini_set('retry_client.request_budget', '20');
ini_restore('retry_client.request_budget');
assert_same('12.5', ini_get('retry_client.request_budget'), 'restored to the value of php.ini');
done();
?>
--EXPECT--
done
