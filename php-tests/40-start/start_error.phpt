--TEST--
start() refuses what sendRequest() refuses, at once, and sends nothing
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request};

$stream = fopen('php://memory', 'r+');
$closed = new Request('POST', script('a', [[]]), body: $stream);
fclose($stream);
foreach ([new RetryClient(baseUri: server('http')), new FakeClient([], baseUri: 'http://a.test/')] as $client) {
    $must = get_debug_type($client) . '::start(): Argument #1 ($request)';
    assert_throws(TypeError::class, "$must must be of type RetryClient\\Request, string given", static fn() => $client->start('GET'));
    assert_throws(TypeError::class, "$must must be of type RetryClient\\Request, null given", static fn() => $client->start(null));
    assert_throws(ArgumentCountError::class, get_debug_type($client) . '::start() expects exactly 1 argument, 0 given', static fn() => $client->start());
    assert_throws(TypeError::class, "$must property \$body must be an open stream resource", static fn() => $client->start($closed));
    assert_throws(JsonException::class, 'Inf and NaN cannot be JSON encoded', static fn() => $client->start(new Request('POST', script_name('a'), json: INF)));
    assert_throws(ValueError::class, "$must property \$sink must be in an existing directory", static fn() => $client->start(new Request('GET', script_name('a'), sink: '/missing/file')));
}
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
