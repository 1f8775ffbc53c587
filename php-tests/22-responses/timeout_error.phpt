--TEST--
timeout, connectTimeout and idleTimeout are timeouts of their part
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 1);
$cases = [
    'no answer' => [$client->with(timeout: 0.2), fn() => script('a', [['action' => 'stall']])],
    'a slow body' => [$client->with(timeout: 0.2), fn() => script('a', [['action' => 'endless', 'drip' => ['every_ms' => 20]]])],
    'silence in the body' => [$client->with(idleTimeout: 0.2), fn() => script('a', [['body' => 'xy', 'chunked' => true, 'send_bytes' => 1, 'end' => 'stall']])],
];
if (server()['blackhole'] !== null) {
    $cases['no connection'] = [$client->with(connectTimeout: 0.2), fn() => server('blackhole')];
}
$cases['TLS that never begins'] = [$client->with(connectTimeout: 0.2, verify: false), fn() => server('tls_stall')];
foreach ($cases as $what => [$limited, $url]) {
    $target = $url();
    $seconds = seconds(fn() => $limited->get($target), $thrown);
    assert_same('timeout', $thrown->kind ?? $thrown, $what);
    assert_between(0.2, 0.7, $seconds, $what);
    assert_between(0.2, $seconds, $thrown->attempts[0]->duration, "$what: duration");
}
done();
?>
--EXPECT--
done
