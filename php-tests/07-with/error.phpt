--TEST--
with(): unknown names, positions and wrong values
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\FakeClient;

foreach ([new RetryClient(), new FakeClient([])] as $client) {
    $class = $client::class;
    assert_throws(Error::class, 'Unknown named parameter $nope', static fn() => $client->with(nope: 1));
    assert_throws(Error::class, 'Unknown named parameter $answers', static fn() => $client->with(answers: []));
    assert_throws(ArgumentCountError::class, "$class::with() takes its options by name only", static fn() => $client->with('http://a.test'));
    assert_throws(ArgumentCountError::class, "$class::with() takes its options by name only", static fn() => $client->with(['maxAttempts' => 3]));
    assert_throws(ArgumentCountError::class, "$class::with() takes its options by name only", static fn() => $client->with(1, maxAttempts: 3));
    assert_throws(ValueError::class, 'RetryClient::__construct(): Argument #3 ($maxAttempts) must be greater than or equal to 1, 0 given', static fn() => $client->with(maxAttempts: 0));
    assert_throws(TypeError::class, 'RetryClient::__construct(): Argument #9 ($retryOn) must be of type array, int given', static fn() => $client->with(retryOn: 429));
    assert_throws(TypeError::class, 'RetryClient::__construct(): Argument #31 ($onRetry) must be a valid callback or null, function "missing" not found or invalid function name', static fn() => $client->with(onRetry: 'missing'));
    // Nothing of it has changed the client.
    assert_same($class, $client->with()::class);
}
// A failed copy says where it was asked for.
$e = thrown_by(static fn() => (new RetryClient())->with(maxAttempts: 0), ValueError::class);
assert_same([__FILE__, __LINE__ - 1, '__construct', 'with'], [$e->getFile(), $e->getLine(), $e->getTrace()[0]['function'], $e->getTrace()[1]['function']]);
done();
?>
--EXPECT--
done
