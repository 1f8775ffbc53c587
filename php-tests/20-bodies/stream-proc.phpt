--TEST--
Files without a known length are read to their end
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 503], []]);
(new RetryClient(baseDelay: 0.0, jitter: 0.0))->post($url, body: fopen('/proc/version', 'r'));
foreach (received('a', 2) as $entry) {
    assert_same(file_get_contents('/proc/version'), body_of($entry), 'body');
}
done();
?>
--EXPECT--
done
