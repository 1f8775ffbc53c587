--TEST--
Many events leave nothing behind
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$client = new RetryClient();
$run = static function (int $count) use ($client): int {
    $sum = 0;
    foreach ($client->stream('GET', server('http') . "/sse/$count?every=0")->events() as $event) {
        $sum += json_decode($event->data)->n;
    }
    return $sum;
};
$run(1000);
$before = [memory_get_usage(), resident()];
assert_same(array_sum(range(0, 2999)), $run(3000), 'events');
assert_between(0, 4_000, max(0, memory_get_usage() - $before[0]), "bytes of PHP's memory");
assert_between(0, 2_000_000, max(0, resident() - $before[1]), 'bytes resident');

// Streams that are given up.
$round = static function () use ($client): void {
    foreach ($client->stream('GET', server('http') . '/endless') as $chunk) {
        break;
    }
    foreach ($client->stream('GET', server('http') . '/half/100') as $chunk) {
        break;
    }
    $client->stream('GET', server('http') . '/bytes/100000');
};
$descriptors = static fn(): int => count(scandir('/proc/self/fd'));
for ($i = 0; $i < 50; $i++) {
    $round();
}
$before = [memory_get_usage(), resident(), $descriptors()];
for ($i = 0; $i < 200; $i++) {
    $round();
}
assert_between(0, 4_000, max(0, memory_get_usage() - $before[0]), "given up: bytes of PHP's memory");
assert_between(0, 3_000_000, max(0, resident() - $before[1]), 'given up: bytes resident');
assert_between(0, 5, max(0, $descriptors() - $before[2]), 'given up: descriptors');
done();
?>
--EXPECT--
done
