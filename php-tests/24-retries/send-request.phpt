--TEST--
sendRequest() sends what the Request says, as often as it is asked to
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$stream = fopen('php://memory', 'w+');
fwrite($stream, 'from a stream');
rewind($stream);
$path = folder() . '/out';
$url = script('a', [['status' => 503], ['body' => 'one'], ['body' => 'two']]);
$request = new RetryClient\Request('POST', "$url/x", headers: ['X-A' => ['1', '2']], body: $stream, query: ['q' => 'ü'], sink: $path);
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$client->sendRequest($request);
assert_same('one', file_get_contents($path), 'first');
$client->sendRequest($request);
assert_same('two', file_get_contents($path), 'second');
foreach (received('a', 3) as $n => $entry) {
    assert_same(['POST', 'from a stream', ['1', '2'], '/' . script_name('a') . '/x?q=%C3%BC'], [$entry['method'], body_of($entry), header_of($entry, 'X-A'), $entry['target']], "request $n");
}
assert_true(header_of(received('a')[1], 'Idempotency-Key') !== header_of(received('a')[2], 'Idempotency-Key'), 'a key for each call');
done();
?>
--EXPECT--
done
