--TEST--
However many routes are used, few connections stay open
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$descriptors = fn(): int => count(scandir('/proc/self/fd'));
$url = script('a', [[]], 'https');
(new RetryClient(verify: server('ca')))->get($url);
$before = $descriptors();
for ($i = 0; $i < 40; $i++) {
    (new RetryClient(proxy: str_replace('http://', "http://user$i:x@", server('proxy')), verify: server('ca')))->get($url);
}
assert_same(41, count(array_unique(array_column(received('a', 41), 'connection'))), 'connections made');
assert_between(10, 16, $descriptors() - $before, 'descriptors');
done();
?>
--EXPECT--
done
