--TEST--
stream(): wrong arguments
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Response};

foreach ([new RetryClient(baseUri: server('http')), new FakeClient([], baseUri: 'http://a.test/')] as $client) {
    $must = get_debug_type($client) . '::stream(): Argument #';
    assert_throws(ValueError::class, "{$must}1 (\$method) must be a valid HTTP method", static fn() => $client->stream('', '/'));
    assert_throws(TypeError::class, "{$must}2 (\$uri) must be of type string, null given", static fn() => $client->stream('GET', null));
    assert_throws(TypeError::class, "{$must}3 (\$headers) must be of type array, string given", static fn() => $client->stream('GET', '/', 'x'));
    assert_throws(TypeError::class, "{$must}4 (\$body) must be of type string, Stringable, resource or null, array given", static fn() => $client->stream('GET', '/', body: []));
    assert_throws(TypeError::class, "{$must}9 (\$limitKey) must be of type ?string, array given", static fn() => $client->stream('GET', '/', limitKey: []));
    assert_throws(ValueError::class, "{$must}10 (\$cost) must be greater than 0, 0 given", static fn() => $client->stream('GET', '/', cost: 0));
    assert_throws(Error::class, 'Unknown named parameter $sink', static fn() => $client->stream('GET', '/', sink: '/tmp/x'));
    assert_throws(ArgumentCountError::class, get_debug_type($client) . '::stream() expects at least 2 arguments, 1 given', static fn() => $client->stream('GET'));
}
$stream = (new FakeClient([new Response()]))->stream('GET', 'http://a.test/');
foreach (['received', 'ok', 'lines', 'events', 'getIterator'] as $method) {
    assert_throws(ArgumentCountError::class, "RetryClient\\StreamedResponse::$method() expects exactly 0 arguments, 1 given", static fn() => $stream->$method(1));
}
assert_throws(ArgumentCountError::class, 'RetryClient\StreamedResponse::header() expects exactly 1 argument, 0 given', static fn() => $stream->header());
done();
?>
--EXPECT--
done
