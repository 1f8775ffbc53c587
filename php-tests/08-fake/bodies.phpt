--TEST--
FakeClient: bodies are bounded, go to a sink, and are parsed for a wish
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, NetworkException, Reason, Response};

assert_same('12345', (new FakeClient([new Response(body: '12345')], maxBodySize: 5))->get('http://a.test/')->body);
$thrown = thrown_by(static fn() => (new FakeClient([new Response(body: '123456')], maxBodySize: 5))->get('http://a.test/'), NetworkException::class);
assert_same(['too-large', Reason::NotRetryable], [$thrown->kind, $thrown->attempts[0]->reason]);

$sink = fopen('php://memory', 'r+');
$response = (new FakeClient([new Response(status: 500, body: 'no'), new Response(body: 'yes')]))->get('http://a.test/', sink: $sink);
rewind($sink);
assert_same(['', 'yes'], [$response->body, stream_get_contents($sink)], 'stream');
$file = __DIR__ . '/bodies.sink';
$response = (new FakeClient([new Response(body: 'yes')]))->get('http://a.test/', sink: $file);
assert_same(['', 'yes'], [$response->body, file_get_contents($file)], 'file');

// A wish, and a refusal for good, in the body.
$google = json_encode(['error' => ['details' => [['@type' => 'type.googleapis.com/google.rpc.RetryInfo', 'retryDelay' => '7s']]]]);
$response = (new FakeClient([new Response(status: 429, body: $google), new Response()]))->get('http://a.test/');
assert_same([7.0, Reason::RetryAfter], [$response->waited, $response->attempts[0]->reason]);
$quota = json_encode(['error' => ['code' => 'insufficient_quota']]);
$response = (new FakeClient([new Response(status: 429, body: $quota)]))->get('http://a.test/');
assert_same([429, Reason::NotRetryable], [$response->status, $response->attempts[0]->reason]);
done();
?>
--CLEAN--
<?php @unlink(__DIR__ . '/bodies.sink'); ?>
--EXPECT--
done
