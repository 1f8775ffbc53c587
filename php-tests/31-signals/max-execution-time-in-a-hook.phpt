--TEST--
max_execution_time in a hook is a fatal error that leaves nothing behind
--EXTENSIONS--
retry_client
--INI--
max_execution_time=1
--FILE--
<?php
require __DIR__ . '/../support.php';

register_shutdown_function(function () {
    set_time_limit(0);
    $said = error_get_last()['message'] ?? '';
    assert_contains('Maximum execution time of 1 second exceeded', $said);
    assert_same('ok', (new RetryClient())->get(script('b', [['body' => 'ok']]))->body, 'a call afterwards');
    done();
});
(new RetryClient(onRetry: function () { while (true); }))->get(script('a', [['status' => 503]]));
?>
--EXPECTF--
Fatal error: Maximum execution time of 1 second exceeded in %s on line %d
done
