--TEST--
The output and the log of an uncaught exception show no credential
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/secrets.inc';

foreach (['get', 'sendRequest', 'with', 'fake', 'construct'] as $case) {
    foreach (['0', '1'] as $html) {
        $log = __DIR__ . "/uncaught-$case.log";
        $command = [
            ...php_command(), '-d', 'display_errors=1', '-d', 'log_errors=1', '-d', "error_log=$log",
            '-d', 'zend.exception_ignore_args=0', '-d', 'zend.exception_string_param_max_len=100000', '-d', "html_errors=$html", __DIR__ . '/uncaught.inc', $case,
        ];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
        $output = stream_get_contents($pipes[1]) . stream_get_contents($pipes[2]);
        assert_same(255, proc_close($process), $case);
        assert_contains('Uncaught ', $output, $case);
        assert_contains('Uncaught ', file_get_contents($log), $case);
        assert_hidden($output, "$case: output");
        assert_hidden(file_get_contents($log), "$case: log");
        unlink($log);
    }
}
done();
?>
--EXPECT--
done
