--TEST--
A journal has one user at a time
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';
require __DIR__ . '/../signals.php';

use RetryClient\{FakeClient, Request, Response};

$file = folder() . '/j';
$requests = ['a' => new Request('GET', 'http://a.test/a'), 'b' => new Request('GET', 'http://a.test/b')];
$client = new FakeClient(static fn() => new Response());
$second = static fn() => $client->sendAll($requests, journal: $file);

$responses = $client->sendAll($requests, journal: $file);
assert_contains('Argument #5 ($journal)', (string) thrown_by($second, ValueError::class)?->getMessage(), 'before the first step');
$responses->rewind();
assert_same(ValueError::class, get_debug_type(thrown_by($second)), 'in the middle');
// Another process.
[$code, $said] = run_php_code(<<<'PHP'
    try {
        (new RetryClient\FakeClient([]))->sendAll([], journal: $argv[1]);
        echo 'no exception';
    } catch (ValueError $e) {
        echo 'ValueError';
    }
    PHP, $file);
assert_same([0, 'ValueError'], [$code, $said], 'another process');
unset($responses);
assert_same(2, count(iterator_to_array($second())), 'free when it is dropped');

// Broken off, ended by an exception, killed: free.
foreach ($second() as $response) {
    break;
}
unset($response);
assert_same(2, count(iterator_to_array($second())), 'after a break');
thrown_by(static fn() => iterator_to_array($client->sendAll(['a' => $requests['a'], 'x' => null], journal: $file)), TypeError::class);
assert_same(2, count(iterator_to_array($second())), 'after an exception');
$pid = child(static function () use ($client, $requests, $file): void {
    $responses = $client->sendAll($requests, journal: $file);
    $responses->rewind();
});
joined($pid);
assert_same(2, count(iterator_to_array($second())), 'after a process was killed');

// A child that is forked in the middle neither writes nor unlocks.
$responses = $client->sendAll($requests + ['c' => new Request('GET', 'http://a.test/c')], journal: $file);
$responses->rewind();
joined(child(static function () use (&$responses): void { $responses = null; }));
assert_same(ValueError::class, get_debug_type(thrown_by($second)), 'a child that drops its copy');
for ($count = 0; $responses->valid(); $responses->next()) {
    $count++;
}
unset($responses);
assert_same([3, 4], [$count, count(file($file))], 'the parent goes on');

/** @return array{int, string} */
function run_php_code(string $code, string ...$arguments): array
{
    $process = proc_open([...php_command(), '-r', $code, '--', ...$arguments], [['file', '/dev/null', 'r'], ['pipe', 'w']], $pipes);
    $said = (string) stream_get_contents($pipes[1]);
    return [proc_close($process), $said];
}
done();
?>
--EXPECT--
done
