--TEST--
Responses that are kept do not add up to a fatal error
--EXTENSIONS--
retry_client
--INI--
memory_limit=32M
--FILE--
<?php
require __DIR__ . '/../support.php';

foreach ([700_000, 90_000, 20_000] as $size) {
    $kept = [];
    $client = new RetryClient(maxAttempts: 1);
    $thrown = null;
    while ($thrown === null) {
        seconds(function () use (&$kept, $client, $size) { $kept[] = $client->get(server('http') . "/bytes/$size"); }, $thrown);
    }
    assert_same('too-large', $thrown->kind ?? $thrown, "$size bytes");
    assert_true(count($kept) * $size > 18_000_000, "$size bytes: only " . count($kept) . ' were kept');
    $kept = null;
    assert_same($size, strlen($client->get(server('http') . "/bytes/$size")->body), "$size bytes: afterwards");
}
done();
?>
--EXPECT--
done
