--TEST--
A folder in which nothing may be made is refused before anything is sent
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
mkdir("$folder/closed", 0555);
chmod($folder, 0755);
$url = script('a', [[]]);
$child = pcntl_fork();
if ($child === 0) {
    // root may write anywhere.
    posix_getuid() === 0 && posix_setuid(65534);
    $thrown = thrown_by(fn() => (new RetryClient())->get($url, sink: "$folder/closed/out"), ValueError::class);
    assert_same('RetryClient::get(): Argument #8 ($sink) must be in a writable directory', $thrown?->getMessage());
    exit(0);
}
pcntl_waitpid($child, $status);
assert_same(0, $status, 'exit status');
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
