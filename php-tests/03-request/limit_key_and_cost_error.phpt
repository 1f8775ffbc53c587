--TEST--
limitKey and cost: what is refused
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseUri: server('refused'));
$cost = static fn(mixed $cost, RetryClient $with) => static fn() => $with->get('/', cost: $cost);
$must = 'RetryClient::get(): Argument #10 ($cost) must be';
foreach ([[0, '0'], [-1, '-1'], [-0.5, '-0.5']] as [$value, $shown]) {
    assert_throws(ValueError::class, "$must greater than 0, $shown given", $cost($value, $client));
}
foreach ([[NAN, 'NAN'], [INF, 'INF'], [-INF, '-INF']] as [$value, $shown]) {
    assert_throws(ValueError::class, "$must finite, $shown given", $cost($value, $client));
}
assert_throws(TypeError::class, "$must of type ?float, string given", $cost('x', $client));
assert_throws(TypeError::class, "$must of type ?float, array given", $cost([], $client));

// At most the burst of the client's limit.
assert_throws(ValueError::class, "$must less than or equal to 1, the burst of the limit, 1.5 given", $cost(1.5, $client->with(limit: '40/min')));
assert_throws(ValueError::class, "$must less than or equal to 20, the burst of the limit, 21 given", $cost(21, $client->with(limit: '500/min burst 20')));
assert_throws(
    ValueError::class,
    'RetryClient::sendRequest(): Argument #1 ($request) property $cost must be less than or equal to 1, the burst of the limit, 2 given',
    static fn() => $client->with(limit: '40/min')->sendRequest(new RetryClient\Request('GET', '/', cost: 2)),
);
assert_throws(ValueError::class, 'RetryClient\Request::__construct(): Argument #11 ($cost) must be greater than 0, 0 given', static fn() => new RetryClient\Request('GET', '/', cost: 0));

assert_throws(ValueError::class, 'RetryClient::get(): Argument #9 ($limitKey) must not be empty', static fn() => $client->get('/', limitKey: ''));
assert_throws(TypeError::class, 'RetryClient::get(): Argument #9 ($limitKey) must be of type ?string, array given', static fn() => $client->get('/', limitKey: []));

// Within the rules.
$fake = new RetryClient\FakeClient(static fn() => new RetryClient\Response(), limit: '500/min burst 20');
foreach ([null, 0.001, 1, '2', 20.0] as $value) {
    assert_same(200, $fake->get('http://a.test/', limitKey: "any \0 \xff bytes", cost: $value)->status);
}
done();
?>
--EXPECT--
done
