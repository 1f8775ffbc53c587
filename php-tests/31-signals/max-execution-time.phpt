--TEST--
max_execution_time counts CPU time: a wait does not use it up, but where PHP has timers for each thread, which go by the clock
--EXTENSIONS--
retry_client
--INI--
max_execution_time=1
display_errors=0
--FILE--
<?php
require __DIR__ . '/../support.php';

$begin = hrtime(true);
register_shutdown_function(static function () use ($begin) {
    set_time_limit(0);
    $said = error_get_last()['message'] ?? '';
    if (has_timers_per_thread()) {
        assert_same('Maximum execution time of 1 second exceeded', $said);
        assert_between(0.99, 1.25, (hrtime(true) - $begin) / 1e9, 'it ends in the wait');
    } else {
        assert_same('', $said);
    }
    done();
});
$response = (new RetryClient(jitter: 0.0))->get(script('a', [['status' => 429, 'headers' => [['Retry-After', '1.3']]], ['body' => 'ok']]));
assert_same(['ok', 1.3, false], [$response->body, $response->waited, has_timers_per_thread()]);
?>
--EXPECT--
done
