--TEST--
progress: true without a terminal: plain lines on stderr, one about every 5 s and one at the end
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$base = server('http');
// A long one runs meanwhile.
$long = proc_open([...php_command(), __DIR__ . '/batch.inc', $base, '22', '1000', 'array', 'on'], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);

foreach (['array' => '~\b12\s*/\s*12\b~', 'generator' => '~\b12\b~'] as $kind => $pattern) {
    [$code, $said, $complained] = run_php(__DIR__ . '/batch.inc', [$base, '12', '100', $kind, 'on']);
    assert_same([0, "end of output\n"], [$code, $said], "$kind: stdout");
    assert_same(1, preg_match($pattern, $complained), "$kind: the numbers: $complained");
    assert_same(1, substr_count($complained, "\n"), "$kind: one line, at the end: $complained");
    assert_same("\n", substr($complained, -1), "$kind: a whole line");
    assert_same(0, preg_match('/[\x00-\x09\x0b-\x1f\x7f]/', $complained), "$kind: no control characters");
    $kind === 'generator' && assert_not_contains('12/', str_replace(' ', '', $complained), 'no total');
}
[$code, $said, $complained] = run_php(__DIR__ . '/batch.inc', [$base, '0', '0', 'array', 'on']);
assert_same([0, "end of output\n"], [$code, $said], 'nothing to do');

// Seconds: 22 of 1 s, 4 at once.
$said = stream_get_contents($pipes[1]);
$complained = stream_get_contents($pipes[2]);
assert_same([0, "end of output\n"], [proc_close($long), $said], 'the long one');
$lines = explode("\n", rtrim($complained, "\n"));
assert_same(2, count($lines), "one after 5 s, one at the end: $complained");
assert_same([1, 1], [preg_match('~\b(16|20)\s*/\s*22\b~', $lines[0]), preg_match('~\b22\s*/\s*22\b~', $lines[1] ?? '')], $complained);
done();
?>
--EXPECT--
done
