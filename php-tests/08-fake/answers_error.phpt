--TEST--
FakeClient: answers that are none
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Request, Response};

$must = 'RetryClient\FakeClient::__construct(): Argument #1 ($answers) must be';
foreach ([
    [[1], "$must a callback or a list of RetryClient\\Response and Throwable, int given at key 0"],
    [[new Response(), 'x'], "$must a callback or a list of RetryClient\\Response and Throwable, string given at key 1"],
    [['a' => new Request('GET', '/')], "$must a callback or a list of RetryClient\\Response and Throwable, RetryClient\\Request given at key a"],
    [[new Response(), [new Response()]], "$must a callback or a list of RetryClient\\Response and Throwable, array given at key 1"],
    [['Missing', 'method'], "$must a callback or a list of RetryClient\\Response and Throwable, string given at key 0"],
    ['missing', "$must of type callable|array, string given"],
    [null, "$must of type callable|array, null given"],
    [5, "$must of type callable|array, int given"],
    [new Response(), "$must of type callable|array, RetryClient\\Response given"],
    [new ArrayObject([new Response()]), "$must of type callable|array, ArrayObject given"],
] as [$answers, $message]) {
    assert_throws(TypeError::class, $message, static fn() => new FakeClient($answers));
}
assert_throws(ArgumentCountError::class, 'RetryClient\FakeClient::__construct() expects at least 1 argument, 0 given', static fn() => new FakeClient());
assert_throws(ArgumentCountError::class, 'RetryClient\FakeClient::__construct() takes its options by name only', static fn() => new FakeClient([], 'http://a.test'));
assert_throws(Error::class, 'Unknown named parameter $nope', static fn() => new FakeClient([], nope: 1));
assert_throws(ValueError::class, 'RetryClient::__construct(): Argument #3 ($maxAttempts) must be greater than or equal to 1, 0 given', static fn() => new FakeClient([], maxAttempts: 0));
assert_throws(ValueError::class, 'RetryClient::__construct(): Argument #7 ($jitter) must be greater than or equal to 0, -1 given', static fn() => new FakeClient([], jitter: -1));

foreach ([[null, 'null'], ['x', 'string'], [[], 'array'], [new stdClass(), 'stdClass'], [new Request('GET', '/'), 'RetryClient\Request']] as [$wrong, $type]) {
    assert_throws(
        TypeError::class,
        "RetryClient\\FakeClient::get(): Return value of the answers' callback must be of type RetryClient\\Response, $type returned",
        static fn() => (new FakeClient(static fn() => $wrong))->get('http://a.test/'),
    );
}
// A header that no server can send.
foreach ([["A" => "b\nc"], ['A b' => 'c'], ["A\n" => 'b']] as $headers) {
    thrown_by(static fn() => (new FakeClient([new Response(headers: $headers)]))->get('http://a.test/'), ValueError::class);
}
done();
?>
--EXPECT--
done
