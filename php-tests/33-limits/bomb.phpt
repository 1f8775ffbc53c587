--TEST--
A decompression bomb costs little memory and little time
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$peak = static fn(): int => (int) preg_replace('/.*VmHWM:\s+(\d+) kB.*/s', '$1', file_get_contents('/proc/self/status'));
$client = new RetryClient(maxBodySize: 1_000_000, maxAttempts: 1);
$client->get(script('warm', [['body_repeat' => ['x', 500_000], 'encoding' => 'gzip']]));
foreach (['gzip', 'br', 'zstd', 'deflate'] as $coding) {
    $url = script('a', [['body_repeat' => ['x', 20_000_000], 'encoding' => $coding]]);
    $before = $peak();
    $seconds = seconds(fn() => $client->get($url), $thrown);
    assert_same('too-large', $thrown->kind ?? $thrown, $coding);
    assert_between(0, 12_000, $peak() - $before, "$coding: kB of memory");
    assert_between(0, 2, $seconds, "$coding: seconds");
}
done();
?>
--EXPECT--
done
