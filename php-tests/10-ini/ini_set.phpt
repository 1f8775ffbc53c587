--TEST--
ini_set: what each directive takes, and false for the rest
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

foreach ([
    'retry_client.request_budget' => [
        ['auto', 'AUTO', '25', ' 25 ', '0', '0.0', '0.5', '.5', '5.', '1000000000', 25, 0, 1.5],
        ['', ' ', 'soon', '25s', '-1', '+1', '1e3', '0x10', '1.2.3', '1,5', 'NAN', 'INF', '99999999999999999999', "25\0", "\xff", '٣', null, false],
    ],
    'retry_client.max_waiting' => [
        ['auto', 'Auto', '0', '8', ' 8 ', '4294967295', 8],
        ['', 'x', '-1', '+1', '1.5', '1e3', '4294967296', "8\0", null],
    ],
    'retry_client.ca_file' => [
        ['', '/any/path', "relative \xff", null],
        ["a\0b"],
    ],
    'retry_client.shared_memory' => [[], ['auto', '/dev/shm/x', '']],
] as $name => [$good, $bad]) {
    $now = ini_get($name);
    foreach ($good as $value) {
        assert_same($now, ini_set($name, $value), "$name: " . var_export($value, true) . ' is taken, the old value returned');
        $now = (string) $value;
        assert_same($now, ini_get($name), $name);
    }
    foreach ($bad as $value) {
        assert_same(false, ini_set($name, $value), "$name: " . var_export($value, true) . ' is refused');
        assert_same($now, ini_get($name), "$name stays");
    }
    ini_restore($name);
    $default = ['retry_client.ca_file' => '', 'retry_client.shared_memory' => get_cfg_var($name)][$name] ?? 'auto';
    assert_same($default, ini_get($name), "$name restored");
}
assert_same(null, error_get_last(), 'no warning');
done();
?>
--EXPECT--
done
