--TEST--
progress: true on a terminal: one live line
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

/** What a command writes to a terminal of its own. */
function on_terminal(string ...$arguments): string
{
    $command = implode(' ', array_map(escapeshellarg(...), [...php_command(), __DIR__ . '/batch.inc', ...$arguments]));
    $program = ['script', '-qec', $command, '/dev/null'];
    if (trim((string) shell_exec('command -v script')) === '') {
        $program = ['python3', '-c', 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["/bin/sh", "-c", sys.argv[1]])))', $command];
    }
    $process = proc_open($program, [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes, null, ['TERM' => 'xterm', 'PATH' => getenv('PATH'), 'LANG' => 'C.UTF-8']);
    $said = (string) stream_get_contents($pipes[1]);
    assert_same(0, proc_close($process), 'exit code');
    return $said;
}

$said = on_terminal(server('http'), '12', '300', 'array', 'on');
assert_contains("end of output\r\n", $said, 'stdout');
assert_same(1, preg_match('~\b([4-9]|1[0-2])\s*/\s*12\b~', $said), 'done and total');
assert_same(1, preg_match('~\r(?!\n)|\x1b\[~', $said), 'it is drawn in place');
// A live line does not scroll: no more lines than a line left standing and the output's own.
assert_true(substr_count($said, "\n") <= 2, 'lines: ' . json_encode($said));
$said = on_terminal(server('http'), '12', '100', 'generator', 'on');
assert_same([1, 1], [preg_match('~\r(?!\n)|\x1b\[~', $said), preg_match('~\b(4|8|12)\b~', $said)], 'without a total');
assert_same("end of output\r\n", on_terminal(server('http'), '4', '50', 'array', 'off'), 'without progress');
done();
?>
--EXPECT--
done
