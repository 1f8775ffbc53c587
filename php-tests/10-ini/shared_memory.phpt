--TEST--
shared_memory: auto, empty or an absolute path, in php.ini only
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/php.inc';

foreach ([['auto', 'auto'], ['AUTO', 'AUTO'], ['""', ''], ['none', ''], ['/a/file', '/a/file'], ['"/a folder/"', '/a folder/'], ["/a/\xff", "/a/\xff"]] as [$value, $shown]) {
    assert_same($shown, php(['retry_client.shared_memory' => $value], '-r', "echo ini_get('retry_client.shared_memory');"), $value);
}
assert_same('auto', php(['retry_client.shared_memory' => null], '-r', "echo ini_get('retry_client.shared_memory');"), 'the default');

// Nothing is opened before it is needed: FPM's master is root.
$folder = folder();
assert_same('', php(['retry_client.shared_memory' => $folder], '-r', "new RetryClient(limit: '1/s');"));
assert_same([], glob("$folder/*"), 'nothing was opened');
foreach (['/dev/shm/x', 'auto', ''] as $value) {
    assert_same(false, ini_set('retry_client.shared_memory', $value), 'at run time');
}
assert_same(null, error_get_last(), 'no warning');
done();
?>
--EXPECT--
done
