--TEST--
A tunnel that the proxy does not open is a connect failure, and nothing was sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(proxy: server('proxy'), maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, verify: server('ca'));
$host = 'p' . getmypid() . '.test';
foreach (['502' => ['status' => 502], '403' => ['status' => 403], 'dropped' => ['action' => 'drop'], 'garbage' => ['action' => 'raw', 'raw' => "hello\r\n\r\n"]] as $what => $step) {
    control('POST', "/_script/$host", [$step]);
    $thrown = thrown_by(fn() => $client->post("https://$host:1234/", body: 'x'), RetryClient\NetworkException::class);
    assert_same(['connect', 2], [$thrown?->kind, count($thrown->attempts)], $what);
}
control('POST', "/_script/$host", [['action' => 'stall']]);
$seconds = seconds(fn() => $client->with(connectTimeout: 0.2, maxAttempts: 1)->get("https://$host:1234/"), $thrown);
assert_same('timeout', $thrown->kind ?? $thrown, 'silence');
assert_between(0.2, 0.6, $seconds, 'silence');
control('DELETE', "/_script/$host");
done();
?>
--EXPECT--
done
