--TEST--
Without progress nothing is printed
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

foreach (['off', 'default'] as $progress) {
    assert_same([0, "end of output\n", ''], run_php(__DIR__ . '/batch.inc', [server('http'), '8', '50', 'array', $progress]), $progress);
}
// A closed stderr is no reason to fail.
$command = implode(' ', array_map(escapeshellarg(...), [...php_command(), __DIR__ . '/batch.inc', server('http'), '8', '50', 'array', 'on']));
exec("$command 2>&-", $lines, $code);
assert_same([['end of output'], 0], [$lines, $code], 'a closed stderr');
exec("$command 2>/dev/full", $lines, $code);
assert_same([['end of output', 'end of output'], 0], [$lines, $code], 'a full stderr');
done();
?>
--EXPECT--
done
