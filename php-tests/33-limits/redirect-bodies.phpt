--TEST--
The bodies of redirects cost no memory
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$peak = static fn(): int => (int) preg_replace('/.*VmHWM:\s+(\d+) kB.*/s', '$1', file_get_contents('/proc/self/status'));
$client = new RetryClient(maxAttempts: 1);
$client->get(server('http') . '/redirect/1');
$before = $peak();
foreach ([['action' => 'endless'], ['body_repeat' => ['x', 100_000_000]]] as $n => $step) {
    $seconds = seconds(fn() => $client->get(script("$n", [['status' => 302, 'location' => '/json', ...$step]])), $response);
    assert_same(['ok' => true], $response->json(), "$n");
    assert_between(0, 1, $seconds, "$n: seconds");
}
assert_between(0, 8_000, $peak() - $before, 'kB of memory');
done();
?>
--EXPECT--
done
