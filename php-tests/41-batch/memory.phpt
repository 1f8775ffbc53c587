--TEST--
Memory stays flat over 5,000 requests from a generator
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(maxAttempts: 1);
$url = server('http') . '/bytes/2000';
$run = static function (int $count) use ($client, $url): array {
    $input = static function () use ($count, $url) {
        for ($i = 0; $i < $count; $i++) {
            yield "key $i" => new Request('GET', $url, ['X-Number' => (string) $i]);
        }
    };
    $results = $php = 0;
    foreach ($client->sendAll($input(), 20) as $response) {
        if ($response->status === 200 && strlen($response->body) === 2000) {
            $results++;
        }
        $php = max($php, memory_get_usage());
    }
    return [$results, $php, resident()];
};
[, $php, $resident] = $run(500);
[$results, $phpAfter, $residentAfter] = $run(5000);
assert_same(5000, $results, 'results');
assert_between(0, 200_000, max(0, $phpAfter - $php), "bytes of PHP's memory");
assert_between(0, 4_000_000, max(0, $residentAfter - $resident), 'bytes resident');

// Batches that are broken off leave nothing.
$round = static function () use ($client, $url): void {
    foreach ($client->sendAll([new Request('GET', $url), apart(server('http') . '/stall'), apart(server('refused')), new Request('GET', $url)], 4) as $response) {
        break;
    }
};
$descriptors = static fn(): int => count(scandir('/proc/self/fd'));
for ($i = 0; $i < 50; $i++) {
    $round();
}
$before = [memory_get_usage(), resident(), $descriptors()];
for ($i = 0; $i < 200; $i++) {
    $round();
}
assert_between(0, 4_000, max(0, memory_get_usage() - $before[0]), "broken off: bytes of PHP's memory");
assert_between(0, 2_000_000, max(0, resident() - $before[1]), 'broken off: bytes resident');
assert_between(0, 5, max(0, $descriptors() - $before[2]), 'broken off: descriptors');
done();
?>
--EXPECT--
done
