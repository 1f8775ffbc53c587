--TEST--
A handler that exits during a download leaves the old file and nothing beside it
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

$folder = folder();
file_put_contents("$folder/out", 'the old one');
$url = script('a', [['action' => 'endless', 'drip' => ['every_ms' => 10]]]);
$child = pcntl_fork();
if ($child === 0) {
    pcntl_async_signals(true);
    pcntl_signal(SIGTERM, fn() => exit(7));
    (new RetryClient())->get($url, sink: "$folder/out");
    exit(1);
}
for ($until = hrtime(true) + 10e9; count(scandir($folder)) < 4 && hrtime(true) < $until;) {
    usleep(1000);
}
assert_same(4, count(scandir($folder)), 'a file beside it while it arrives');
posix_kill($child, SIGTERM);
pcntl_waitpid($child, $status);
assert_same(7, pcntl_wexitstatus($status), 'exit status');
assert_same(['out'], array_values(array_diff(scandir($folder), ['.', '..'])), 'afterwards');
assert_same('the old one', file_get_contents("$folder/out"), 'file');
done();
?>
--EXPECT--
done
