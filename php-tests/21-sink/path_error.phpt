--TEST--
A path that cannot be written is refused before anything is sent
--EXTENSIONS--
retry_client
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
file_put_contents("$folder/file", '');
mkdir("$folder/sub");
posix_mkfifo("$folder/fifo", 0600);
symlink("$folder/loop", "$folder/loop");
$url = script('a', [[]]);
$client = new RetryClient();
$cases = [
    ['', 'must not be empty'],
    ["$folder/a\0b", 'must not contain any null bytes'],
    ["$folder/sub", 'must not be a directory or a special file'],
    ["$folder/fifo", 'must not be a directory or a special file'],
    ['/dev/null', 'must not be a directory or a special file'],
    ["$folder/none/out", 'must be in an existing directory'],
    ["$folder/file/out", 'must be a valid path'],
    ['php://memory', 'must be a path of the local file system'],
    ['http://localhost/x', 'must be a path of the local file system'],
    ['data:text/plain,x', 'must be a path of the local file system'],
    ['file:///tmp/x', 'must be a path of the local file system'],
    ['phar://x.phar/y', 'must be a path of the local file system'],
    [str_repeat('x', 5000), 'must be a valid path'],
];
foreach ($cases as [$path, $rule]) {
    $thrown = thrown_by(fn() => $client->get($url, sink: $path), ValueError::class);
    assert_same("RetryClient::get(): Argument #8 (\$sink) $rule", $thrown?->getMessage(), $path);
}
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
