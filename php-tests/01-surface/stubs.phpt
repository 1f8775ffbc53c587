--TEST--
The stubs declare what the extension declares
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../reflection.php';

extension_loaded('retry_client') || exit('the extension is not loaded');
$extension = surface();
exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg(dirname(__DIR__) . '/reflection.php'), $stubs, $code);

foreach (array_diff($stubs, $extension) as $number => $line) {
    echo 'only in stubs, line ', $number + 1, ": $line\n";
}
foreach (array_diff($extension, $stubs) as $number => $line) {
    echo 'only in the extension, line ', $number + 1, ": $line\n";
}
echo $code === 0 && $stubs === $extension ? "same\n" : "different (make stubs shows where)\n";
?>
--EXPECT--
same
