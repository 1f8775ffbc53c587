--TEST--
A retry starts at the call's URI, with all that it had
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$to = script('to', [['status' => 503], ['body' => 'ok']]);
$from = script('from', [['action' => 'redirect', 'status' => 302, 'location' => str_replace(server('http'), server('control'), $to)]]);
$response = (new RetryClient(baseDelay: 0.0, jitter: 0.0))->post($from, ['Authorization' => 'Bearer s3cret'], 'body');
assert_same(['ok', 2], [$response->body, count($response->attempts)], 'response');
foreach (received('from', 2) as $n => $entry) {
    assert_same(['POST', 'body', 'Bearer s3cret'], [$entry['method'], body_of($entry), header_of($entry, 'Authorization')], "attempt $n");
}
done();
?>
--EXPECT--
done
