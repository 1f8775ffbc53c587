--TEST--
php.ini: a malformed value warns at start-up, and the default holds
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/php.inc';

foreach ([
    ['retry_client.request_budget', ['soon', '-1', '25s', '""'], 'must be auto or a number of seconds'],
    ['retry_client.max_waiting', ['many', '-1', '1.5'], 'must be auto or a number of processes'],
    ['retry_client.shared_memory', ['state', './state', '../state', 'file:///state', 'autos'], 'must be auto, empty or an absolute path'],
] as [$name, $values, $rule]) {
    foreach ($values as $value) {
        $warning = "Warning: PHP Startup: $name $rule; its default holds in Unknown on line 0";
        assert_same("$warning\nauto", trim(php([$name => $value], '-r', "echo ini_get('$name');")), "$name=$value");
    }
    assert_same('auto', php([$name => null], '-r', "echo ini_get('$name');"), 'no warning without it');
}
done();
?>
--EXPECT--
done
