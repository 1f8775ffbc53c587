--TEST--
exit in a hook ends the script, destructors and shutdown functions included
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

foreach (['onAttempt', 'onOutcome', 'onRetry', 'answer'] as $where) {
    foreach (['real', 'fake'] as $client) {
        if ([$where, $client] === ['answer', 'real']) {
            continue;
        }
        $url = script('a', [['status' => 503]]);
        $command = [...php_command(['display_errors' => '1']), __DIR__ . '/exit.inc', $where, $client, $url];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
        assert_same("hook\nshutdown, and a call works: 200\ndestructor\n", stream_get_contents($pipes[1]), "$where, $client");
        assert_same('', stream_get_contents($pipes[2]), "$where, $client: stderr");
        assert_same(3, proc_close($process), "$where, $client: exit code");
    }
}
done();
?>
--EXPECT--
done
