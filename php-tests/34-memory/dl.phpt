--TEST--
Loaded by dl() next to others, the extension is taken down without harm
--EXTENSIONS--
retry_client
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

foreach ([['retry_client', 'posix'], ['posix', 'retry_client']] as $order) {
    $code = 'foreach (array_slice($argv, 1) as $name) { dl("$name.so"); } echo (new RetryClient\FakeClient([new RetryClient\Response(204)]))->get("http://localhost/")->status;';
    $process = proc_open([...php_command(['extension_dir' => ini_get('extension_dir')], loaded: false), '-r', $code, ...$order], [1 => ['pipe', 'w']], $pipes);
    $said = stream_get_contents($pipes[1]);
    assert_same(['204', 0], [$said, proc_close($process)], implode(' before ', $order));
}
done();
?>
--EXPECT--
done
