--TEST--
exit in a hook of a started call ends the script, destructors and shutdown functions included
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

foreach (['onOutcome', 'onRetry'] as $hook) {
    foreach (['wait', 'poll', 'send', 'sendAll', 'stream'] as $where) {
        [$code, $said, $complained] = run_php(__DIR__ . '/exit.inc', [$hook, $where, script('a', [['status' => 503]])], ['display_errors' => '1']);
        assert_same([3, "hook\nshutdown, and a call works: 200\ndestructor\n", ''], [$code, $said, $complained], "$hook in $where()");
    }
}
done();
?>
--EXPECT--
done
