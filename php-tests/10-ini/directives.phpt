--TEST--
The directives: names, defaults, who may set them
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/php.inc';

$entry = static fn(string $value, int $access) => ['global_value' => $value, 'local_value' => $value, 'access' => $access];
assert_same([
    'retry_client.ca_file' => $entry('', INI_ALL),
    'retry_client.max_waiting' => $entry('auto', INI_ALL),
    'retry_client.request_budget' => $entry('auto', INI_ALL),
    'retry_client.shared_memory' => $entry('auto', INI_SYSTEM),
], array_map(
    static fn(array $all) => array_intersect_key($all, $entry('', 0)),    // PHP 8.6 tells more
    unserialize(php(['retry_client.shared_memory' => null], '-r', "echo serialize(ini_get_all('retry_client'));")),
));
$entries = (new ReflectionExtension('retry_client'))->getINIEntries();
ksort($entries);
assert_same(['retry_client.ca_file' => '', 'retry_client.max_waiting' => 'auto', 'retry_client.request_budget' => 'auto', 'retry_client.shared_memory' => get_cfg_var('retry_client.shared_memory')], $entries);
done();
?>
--EXPECT--
done
