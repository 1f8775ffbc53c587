--TEST--
sendRequest() sends what send() would, as often as it is called
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Request;

$url = script('a', [[]]);
$path = '/' . script_name('a');
$client = new RetryClient(baseUri: server('http'), headers: ['X-Client' => 'yes', 'X-Both' => 'client']);
$request = new Request('patch', "$path?a=1", headers: ['X-Both' => 'request'], json: ['x' => 1], query: ['b' => 2]);
$client->sendRequest($request);
$client->sendRequest($request);
$client->send('patch', "$path?a=1", headers: ['X-Both' => 'request'], json: ['x' => 1], query: ['b' => 2]);
$log = received('a', 3);
foreach ($log as $sent) {
    assert_same('PATCH', $sent['method']);
    assert_same("$path?a=1&b=2", $sent['target']);
    assert_same(['yes', 'request', 'application/json', '{"x":1}'], [header_of($sent, 'X-Client'), header_of($sent, 'X-Both'), header_of($sent, 'Content-Type'), body_of($sent)]);
}
$keys = array_map(static fn($sent) => header_of($sent, 'Idempotency-Key'), $log);
assert_same(3, count(array_unique($keys)), 'a key for each call');
assert_same("$path?a=1", $request->uri, 'unchanged');

// A stream is sent from where it stands, each time.
$stream = fopen('php://memory', 'r+');
fwrite($stream, 'skipped content');
fseek($stream, 8);
$request = new Request('PUT', $path, body: $stream);
$client->sendRequest($request);
$client->sendRequest($request);
$log = received('a', 5);
assert_same(['content', 'content'], [body_of($log[3]), body_of($log[4])]);
done();
?>
--EXPECT--
done
