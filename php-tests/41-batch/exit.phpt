--TEST--
exit in the loop's body, the input, a hook, onProgress: a clean end
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

foreach (['body' => 3, 'input' => 3, 'hook' => 3, 'progress' => 3, 'die' => 0] as $where => $expected) {
    $stalled = script('stalled', [['action' => 'stall']]);
    $seconds = seconds(static fn() => run_php(__DIR__ . '/exit.inc', [$where, server('http'), $stalled], ['display_errors' => '1']), $ended);
    assert_same([$expected, "exit\nshutdown, and a call works: 200\ndestructor\n", ''], $ended, $where);
    assert_between(0.0, 3.0, $seconds, "$where: seconds");
    usleep(50_000);
    abandoned('stalled', count(received('stalled')));
}
done();
?>
--EXPECT--
done
