--TEST--
A journal that cannot be opened: ValueError at once, and nothing is sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$folder = folder();
mkdir("$folder/folder");
touch("$folder/file");
symlink("$folder/nowhere/file", "$folder/dangling");
$request = new Request('GET', script('a', [[]]));
foreach ([new RetryClient(), new FakeClient([])] as $client) {
    $must = get_debug_type($client) . '::sendAll(): Argument #5 ($journal)';
    foreach (["$folder/folder", "$folder/missing/file", "$folder/file/below", "$folder/dangling", '', "$folder/nul\0byte", 'http://a.test/x', 'php://memory', '/dev/null/x'] as $path) {
        $thrown = thrown_by(static fn() => $client->sendAll(['k' => $request], journal: $path), ValueError::class);
        assert_contains("$must must", (string) $thrown?->getMessage(), show($path));
    }
}
assert_same([], received('a'), 'requests');
assert_same(['.', '..', 'dangling', 'file', 'folder'], scandir($folder), 'nothing was made');

// open_basedir holds.
$code = 'try { (new RetryClient\FakeClient([]))->sendAll([], journal: $argv[1]); echo "opened"; } catch (ValueError $e) { echo "refused"; }';
foreach (["$folder/folder/j" => 'opened', "$folder/outside" => 'refused'] as $path => $expected) {
    $process = proc_open([...php_command(['open_basedir' => "$folder/folder"]), '-r', $code, '--', $path], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']], $pipes);
    assert_contains($expected, (string) stream_get_contents($pipes[1]), basename($path));
    proc_close($process);
}
assert_same(false, file_exists("$folder/outside"));

// null is none.
assert_same(200, iterator_to_array((new FakeClient([new Response()]))->sendAll([$request], journal: null))[0]->status);
done();
?>
--EXPECT--
done
