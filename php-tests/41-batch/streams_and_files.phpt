--TEST--
Bodies and sinks in a batch
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$folder = folder();
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$url = script('a', [['action' => 'echo']]);
$body = fopen('php://memory', 'r+');
fwrite($body, 'from a stream');
rewind($body);
$requests = [
    'stream' => new Request('PUT', $url, body: $body),
    'multipart' => new Request('POST', $url, multipart: ['f' => ['contents' => 'in a part', 'filename' => 'f']]),
    'form' => new Request('POST', $url, form: ['a' => 'b']),
];
$results = iterator_to_array($client->sendAll($requests, 3));
assert_same('from a stream', base64_decode($results['stream']->json()['body_base64']));
assert_contains('in a part', base64_decode($results['multipart']->json()['body_base64']));
assert_same('a=b', base64_decode($results['form']->json()['body_base64']));
assert_same(true, is_resource($body), 'the stream stays open');

$sinks = [];
for ($i = 0; $i < 6; $i++) {
    $sinks[] = new Request('GET', script("s$i", [['status' => 503], ['body_repeat' => ["$i", 100_000]]]), sink: "$folder/$i", limitKey: "$i");
}
foreach ($client->sendAll($sinks, 3) as $key => $response) {
    assert_same(['', str_repeat("$key", 100_000)], [$response->body, file_get_contents("$folder/$key")], "sink $key");
}
assert_same(6, count(glob("$folder/*")), 'nothing beside the files');

// Broken off, an unfinished sink leaves nothing.
$stalled = new Request('GET', script('half', [['action' => 'half', 'body' => str_repeat('x', 1000), 'end' => 'stall']]), sink: "$folder/half");
foreach ($client->sendAll(['quick' => new Request('GET', script('quick', [['delay_ms' => 200]])), 'half' => $stalled], 2) as $key => $response) {
    break;
}
unset($response);
assert_same(6, count(glob("$folder/*")), 'after a break');
done();
?>
--EXPECT--
done
