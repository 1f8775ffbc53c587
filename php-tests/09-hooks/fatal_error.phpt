--TEST--
A fatal error in a hook is reported like any other
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

foreach (['memory' => 'Allowed memory size', 'error' => 'mine', 'declaration' => PHP_VERSION_ID < 80400 ? 'Cannot declare class Twice' : 'Cannot redeclare class Twice'] as $kind => $message) {
    foreach (['onAttempt', 'onOutcome', 'onRetry'] as $hook) {
        foreach (['real', 'fake'] as $client) {
            $url = script('a', [['status' => 503, 'body_repeat' => ['x', 100000]]]);
            $command = [...php_command(['display_errors' => '1', 'memory_limit' => '32M']), __DIR__ . '/fatal_error.inc', $kind, $hook, $client, $url];
            $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
            $output = stream_get_contents($pipes[1]);
            assert_contains("Fatal error: $message", $output, "$kind, $hook, $client");
            assert_contains("shutdown, and a call works: 200\n", $output, "$kind, $hook, $client");
            assert_same('', stream_get_contents($pipes[2]), "$kind, $hook, $client: stderr");
            assert_same(255, proc_close($process), "$kind, $hook, $client: exit code");
        }
    }
}
done();
?>
--EXPECT--
done
