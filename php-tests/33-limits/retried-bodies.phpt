--TEST--
The bodies of retried responses cost no memory, however large
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$peak = static fn(): int => (int) preg_replace('/.*VmHWM:\s+(\d+) kB.*/s', '$1', file_get_contents('/proc/self/status'));
$client = new RetryClient(baseDelay: 0.05, multiplier: 1.0, jitter: 0.0);
$client->get(script('warm', [['status' => 500, 'body' => 'x'], []]));
$before = $peak();
foreach ([500, 429] as $status) {
    foreach ([['action' => 'endless'], ['action' => 'endless', 'body' => str_repeat('x', 100_000)], ['body_repeat' => ['x', 200_000_000]], ['body_repeat' => ['x', 50_000_000], 'encoding' => 'gzip']] as $n => $step) {
        $response = $client->get(script("$status-$n", [['status' => $status, ...$step], ['body' => 'ok']]));
        assert_same('ok', $response->body, "$status $n");
    }
}
assert_between(0, 8_000, $peak() - $before, 'kB of memory');
done();
?>
--EXPECT--
done
