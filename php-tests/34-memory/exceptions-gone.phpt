--TEST--
Exceptions that are kept and freed leave nothing behind
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 503, 'body' => str_repeat('x', 10_000)]]);
$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
$round = function () use ($client, $url): void {
    $kept = [];
    foreach ([$url, server('http') . '/drop', server('refused')] as $bad) {
        $kept[] = thrown_by(fn() => $client->get($bad), RetryClient\Exception::class);
    }
    array_map(strval(...), $kept);
};
for ($i = 0; $i < 20; $i++) {
    $round();
}
$before = memory_get_usage();
for ($i = 0; $i < 50; $i++) {
    $round();
}
assert_between(0, 4_000, max(0, memory_get_usage() - $before), 'bytes');
done();
?>
--EXPECT--
done
