--TEST--
The directives: names, defaults, who may set them
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$entry = static fn(string $value, int $access) => ['global_value' => $value, 'local_value' => $value, 'access' => $access];
assert_same([
    'retry_client.ca_file' => $entry('', INI_ALL),
    'retry_client.max_waiting' => $entry('auto', INI_ALL),
    'retry_client.request_budget' => $entry('auto', INI_ALL),
    'retry_client.shared_memory' => $entry('auto', INI_SYSTEM),
], ini_get_all('retry_client'));
$entries = (new ReflectionExtension('retry_client'))->getINIEntries();
ksort($entries);
assert_same(['retry_client.ca_file' => '', 'retry_client.max_waiting' => 'auto', 'retry_client.request_budget' => 'auto', 'retry_client.shared_memory' => 'auto'], $entries);
done();
?>
--EXPECT--
done
