--TEST--
FakeClient::requests(): one Request per send, as it goes out
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Request, Response};

$client = new FakeClient([new Response(status: 500), new Response(), new Response()], baseUri: 'http://a.test/v1', headers: ['X-Client' => 'yes']);
assert_same([], $client->requests(), 'none yet');
$client->send('post', 'x?a=1#f', ['X-Own' => ['1', '2']], json: ['k' => 'v'], query: ['b' => 2], limitKey: 'key', cost: 3);
$client->get('y');

[$first, $second, $third] = $client->requests();
assert_same(['POST', 'http://a.test/v1/x?a=1&b=2', ['k' => 'v'], 'key', 3.0], [$first->method, $first->uri, $first->json, $first->limitKey, $first->cost]);
$headers = $first->headers;
assert_same(['1', '2'], $headers['x-own']);
assert_same([['yes'], ['application/json'], 1], [$headers['x-client'], $headers['content-type'], count($headers['idempotency-key'])]);
assert_same($headers, $second->headers, 'the same on the next attempt');
assert_true($first !== $second, 'an object for each send');
assert_same(['GET', 'http://a.test/v1/y', null], [$third->method, $third->uri, $third->json]);
assert_true($client->requests() === $client->requests(), 'the same objects each time');
assert_same([0, 1, 2], array_keys($client->requests()));

// The body is there as it was given; a Request's own stays untouched.
$stream = fopen('php://memory', 'r+');
foreach ([['body' => 'text'], ['form' => ['a' => 'b']], ['multipart' => ['a' => 'b']], ['body' => $stream], ['json' => 'null']] as $body) {
    $client = new FakeClient([new Response()]);
    $client->sendRequest($request = new Request('PUT', 'http://a.test/', ...$body));
    $sent = $client->requests()[0];
    $name = array_key_first($body);
    if ($body[$name] !== $stream) {    // an empty body is none
        assert_same($body[$name], $sent->$name, $name);
    }
    assert_same([[], false], [$request->headers, $sent === $request], $name);
}

// Headers of onAttempt are in it.
$client = new FakeClient([new Response(status: 500), new Response()], onAttempt: static fn($request, int $attempt) => ['X-Attempt' => "number $attempt"]);
$client->get('http://a.test/');
assert_same([['number 1'], ['number 2']], array_map(static fn($sent) => $sent->headers['x-attempt'], $client->requests()));
assert_throws(ArgumentCountError::class, 'RetryClient\FakeClient::requests() expects exactly 0 arguments, 1 given', static fn() => $client->requests(1));
done();
?>
--EXPECT--
done
