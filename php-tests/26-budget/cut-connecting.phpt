--TEST--
Connecting and TLS are inside the budget
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(budget: 0.3, verify: server('ca'));
foreach (array_filter(['blackhole' => server()['blackhole'], 'tls_stall' => server('tls_stall')]) as $what => $url) {
    $seconds = seconds(fn() => $client->get($url), $thrown);
    assert_same(RetryClient\BudgetExceededException::class, get_debug_type($thrown), $what);
    assert_between(0.3, 0.5, $seconds, $what);
}
done();
?>
--EXPECT--
done
