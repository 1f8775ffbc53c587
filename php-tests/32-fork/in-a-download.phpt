--TEST--
A child that is forked during a download and exits does not harm it
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
$parent = getmypid();
pcntl_signal(SIGUSR1, function () use ($parent) {
    $child = pcntl_fork();
    $child === 0 && exit(0);
    pcntl_waitpid($child, $status);
});
$path = folder() . '/out';
foreach (['http', 'https', 'h2'] as $on) {
    $url = script($on, [['chunks' => ['one ', 'two ', 'three'], 'chunked' => true, 'drip' => ['every_ms' => 200]]], $on);
    $sent = signal_after(0.3, SIGUSR1);
    $response = (new RetryClient(verify: server('ca'), maxAttempts: 1))->get($url, sink: $path);
    $sent();
    assert_same('one two three', file_get_contents($path), $on);
    assert_same(['out'], array_values(array_diff(scandir(dirname($path)), ['.', '..'])), "$on: beside it");
}
done();
?>
--EXPECT--
done
