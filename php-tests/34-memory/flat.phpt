--TEST--
Memory and descriptors stay flat over 2,000 calls, failures among them
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, maxAttempts: 2, onRetry: fn() => null, onAttempt: fn() => ['X-A' => '1'], onOutcome: fn() => null, maxBodySize: 50_000);
$base = server('http');
$ok = script('ok', ['steps' => [['body' => str_repeat('x', 2000)], ['status' => 503, 'body' => 'busy'], ['body' => 'y', 'encoding' => 'gzip'], ['status' => 404]], 'then' => 'cycle']);
$sink = fopen('php://memory', 'w+');
$round = function () use ($client, $base, $ok, $sink): void {
    for ($i = 0; $i < 15; $i++) {
        $client->get($ok);
    }
    $client->post($ok, json: ['a' => range(1, 100)]);
    $client->post($ok, multipart: ['a' => ['contents' => str_repeat('x', 1000), 'filename' => 'a']]);
    $client->get($ok, sink: $sink);
    ftruncate($sink, 0);
    rewind($sink);
    foreach (["$base/drop", "$base/half/100", "$base/bytes/100000", "$base/redirect-loop", server('refused'), "$base/status/429"] as $bad) {
        try {
            $client->get($bad, limitKey: uniqid());    // or refusals would slow the next ones
            fail("$bad did not fail");
        } catch (RetryClient\Exception) {
        }
    }
    $client->with(timeout: 5.0)->get("$base/redirect/2");
};
$resident = static fn(): int => (int) preg_replace('/.*VmRSS:\s+(\d+) kB.*/s', '$1', file_get_contents('/proc/self/status'));
$descriptors = fn(): int => count(scandir('/proc/self/fd'));

for ($i = 0; $i < 15; $i++) {
    $round();
}
$before = [$resident(), memory_get_usage(), $descriptors()];
for ($i = 0; $i < 80; $i++) {
    $round();
}
assert_between(0, 1_500, max(0, $resident() - $before[0]), 'kB resident');
assert_between(0, 4_000, max(0, memory_get_usage() - $before[1]), "bytes of PHP's memory");
assert_between(0, 2, max(0, $descriptors() - $before[2]), 'descriptors');
done();
?>
--EXPECT--
done
