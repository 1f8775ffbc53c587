--TEST--
sendRequest(): what is wrong is told with the property's name
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Request;

$client = new RetryClient(baseUri: server('refused'));
$must = 'RetryClient::sendRequest(): Argument #1 ($request)';
assert_throws(TypeError::class, "$must must be of type RetryClient\\Request, string given", static fn() => $client->sendRequest('GET'));
assert_throws(TypeError::class, "$must must be of type RetryClient\\Request, null given", static fn() => $client->sendRequest(null));
assert_throws(TypeError::class, "$must must be of type RetryClient\\Request, RetryClient\\Response given", static fn() => $client->sendRequest(new RetryClient\Response()));
assert_throws(ArgumentCountError::class, 'RetryClient::sendRequest() expects exactly 1 argument, 0 given', static fn() => $client->sendRequest());

// What was right when the request was made may not be any more.
$stream = fopen('php://memory', 'r+');
$body = new Request('POST', '/', body: $stream);
$sink = new Request('GET', '/', sink: $stream);
$file = new Request('POST', '/', multipart: ['f' => $stream]);
fclose($stream);
assert_throws(TypeError::class, "$must property \$body must be an open stream resource", static fn() => $client->sendRequest($body));
assert_throws(TypeError::class, "$must property \$sink must be an open stream resource", static fn() => $client->sendRequest($sink));
assert_throws(TypeError::class, "$must property \$multipart must be an open stream resource for \"f\"", static fn() => $client->sendRequest($file));
assert_throws(JsonException::class, 'Inf and NaN cannot be JSON encoded', static fn() => $client->sendRequest(new Request('POST', '/', json: INF)));
assert_throws(
    ValueError::class,
    "$must property \$headers must not have another \"content-length\" than the body's, which is 1",
    static fn() => $client->sendRequest(new Request('POST', '/', headers: ['Content-Length' => '2'], body: 'x')),
);
assert_throws(ValueError::class, "$must property \$sink must be in an existing directory", static fn() => $client->sendRequest(new Request('GET', '/', sink: '/missing/file')));
done();
?>
--EXPECT--
done
