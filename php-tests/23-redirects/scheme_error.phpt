--TEST--
https to http, and schemes other than http and https, are not followed
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, verify: server('ca'));
$to = script('to', [[]]);
foreach ([['https', $to], ['http', 'ftp://localhost/x'], ['http', 'file:///etc/passwd'], ['http', 'javascript:alert(1)'], ['http', 'gopher://x']] as [$on, $location]) {
    $thrown = thrown_by(fn() => $client->get(script('from', [['action' => 'redirect', 'location' => $location]], $on)), RetryClient\NetworkException::class);
    assert_same(['redirect', 1], [$thrown?->kind, count($thrown?->attempts ?? [])], $location);
}
assert_same([], received('to'), 'requests');
assert_same(200, $client->get(script('from', [['action' => 'redirect', 'location' => str_replace(server('http'), server('https'), $to)]]))->status, 'http to https');
done();
?>
--EXPECT--
done
