--TEST--
dl(): loaded at run time, and taken down with the request
--FILE--
<?php
require __DIR__ . '/../support.php';

function dl_of(string ...$modules): array
{
    $code = 'foreach (array_slice($argv, 1) as $module) { dl($module); } echo (new RetryClient\FakeClient([new RetryClient\Response()]))->get("http://a.test/")->status;';
    $process = proc_open([...php_command(['extension_dir' => ini_get('extension_dir')], loaded: false), '-r', $code, '--', ...$modules], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
    return [stream_get_contents($pipes[1]), stream_get_contents($pipes[2]), proc_close($process)];
}
$other = array_values(array_filter(['ctype', 'tokenizer', 'posix'], static fn($name) => is_file(ini_get('extension_dir') . "/$name.so")))[0] ?? null;
assert_same(['200', '', 0], dl_of('retry_client'));
if ($other !== null) {
    assert_same(['200', '', 0], dl_of('retry_client', $other), 'another one after it');
    assert_same(['200', '', 0], dl_of($other, 'retry_client'), 'another one before it');
}
done();
?>
--EXPECT--
done
