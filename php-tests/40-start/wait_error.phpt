--TEST--
wait(): wrong arguments
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$pending = (new FakeClient([new Response(body: 'x')]))->start(new Request('GET', 'http://a.test/'));
$must = 'RetryClient\Pending::wait(): Argument #1 ($timeout) must be';
assert_throws(ValueError::class, "$must greater than or equal to 0, -1 given", static fn() => $pending->wait(-1));
assert_throws(ValueError::class, "$must greater than or equal to 0, -0.001 given", static fn() => $pending->wait(-0.001));
assert_throws(ValueError::class, "$must finite, NAN given", static fn() => $pending->wait(NAN));
assert_throws(ValueError::class, "$must finite, INF given", static fn() => $pending->wait(INF));
assert_throws(TypeError::class, "$must of type ?float, string given", static fn() => $pending->wait('soon'));
assert_throws(ArgumentCountError::class, 'RetryClient\Pending::wait() expects at most 1 argument, 2 given', static fn() => $pending->wait(1.0, 2));
foreach (['cancel', 'done', 'status', 'headers', 'read', 'received'] as $method) {
    assert_throws(ArgumentCountError::class, "RetryClient\\Pending::$method() expects exactly 0 arguments, 1 given", static fn() => $pending->$method(1));
}
assert_same('x', $pending->wait(1)->body, 'as before');
done();
?>
--EXPECT--
done
