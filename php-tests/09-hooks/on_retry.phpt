--TEST--
onRetry: exactly false stops, nothing else does
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{AttemptsExhaustedException, FakeClient, NetworkException, Reason, Response};

foreach ([null, 0, '', '0', [], 0.0, true, 'false', new stdClass()] as $returned) {
    $client = new FakeClient([new Response(status: 500), new Response()], onRetry: static fn() => $returned);
    assert_same(200, $client->get('http://a.test/')->status, json_encode($returned));
}
$client = new FakeClient([new Response(status: 500), new Response()], onRetry: static function (): void {});
assert_same(200, $client->get('http://a.test/')->status, 'void');

$answers = [new Response(status: 500), new Response(status: 503, body: 'last')];
$second = static fn($attempt) => $attempt->number < 2;
$client = new FakeClient($answers, onRetry: $second);
$thrown = thrown_by(static fn() => $client->get('http://a.test/'), AttemptsExhaustedException::class);
assert_same('GET http://a.test/ answered 503 Service Unavailable after 2 attempts, and onRetry stopped', $thrown->getMessage());
assert_same([[Reason::Backoff, 0.5], [Reason::Stopped, 0.0]], array_map(static fn($attempt) => [$attempt->reason, $attempt->wait], $thrown->attempts));
assert_same(['last', 0.5, 2], [$thrown->response->body, $thrown->response->waited, count($client->requests())]);

$response = (new FakeClient($answers, onRetry: $second, throwOnGiveUp: false))->get('http://a.test/');
assert_same([503, 'last', Reason::Stopped], [$response->status, $response->body, $response->attempts[1]->reason], 'throwOnGiveUp: false');

$thrown = thrown_by(static fn() => (new FakeClient([new NetworkException('down', kind: 'dns')], onRetry: static fn() => false))->get('http://a.test/'), NetworkException::class);
assert_same(['dns', Reason::Stopped], [$thrown->kind, $thrown->attempts[0]->reason], 'no response');

// Over the network, with a body that is still on its way.
$url = script('a', [['status' => 500, 'body' => 'whole body', 'body_delay_ms' => 50]]);
$thrown = thrown_by(static fn() => (new RetryClient(onRetry: static fn() => false))->get($url), AttemptsExhaustedException::class);
assert_same(['whole body', 1], [$thrown->response->body, count(received('a'))]);
done();
?>
--EXPECT--
done
