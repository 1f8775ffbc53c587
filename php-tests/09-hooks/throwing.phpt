--TEST--
What a hook throws ends the call, as it is
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$url = script('a', [['status' => 503, 'headers' => [['Retry-After', '30']]], []]);
foreach (['onAttempt' => 0, 'onOutcome' => 1, 'onRetry' => 1] as $hook => $sends) {
    foreach ([new LogicException('mine'), new Error('mine'), new RetryClient\HttpException('mine')] as $own) {
        $hooks = [$hook => static fn() => throw $own];
        $fake = new FakeClient([new Response(status: 503), new Response()], ...$hooks);
        assert_same($own, thrown_by(static fn() => $fake->get('http://a.test/'), $own::class), "$hook, fake");
        assert_same($sends, count($fake->requests()), "$hook, fake");
        assert_same(null, $own->getPrevious());

        $took = seconds(static fn() => (new RetryClient(...$hooks, limitKey: $hook . spl_object_id($own)))->get($url), $thrown);
        assert_same($own, $thrown, "$hook, real");
        assert_between(0, 5, $took, 'it does not wait');
        control('POST', '/_script/' . script_name('a'), [['status' => 503, 'headers' => [['Retry-After', '30']]], []]);
    }
}
// The outcome of the answer itself, too.
$own = new LogicException('mine');
assert_same($own, thrown_by(static fn() => (new RetryClient(onOutcome: static fn() => throw $own))->get(script('b', [[]])), LogicException::class));

// The connection is not disturbed: what follows works.
assert_same(200, (new RetryClient())->get(script('c', [[]]))->status);

// An error in the hook itself.
assert_throws(Error::class, 'Call to undefined function missing()', static fn() => (new FakeClient([new Response()], onOutcome: static fn() => missing()))->get('http://a.test/'));
thrown_by(static fn() => (new FakeClient([new Response()], onOutcome: static fn(string $attempt) => 1))->get('http://a.test/'), TypeError::class);
assert_throws(ArgumentCountError::class, 'strlen() expects exactly 1 argument, 2 given', static fn() => (new FakeClient([new Response()], onOutcome: 'strlen'))->get('http://a.test/'));

// A warning that an error handler turns into an exception.
set_error_handler(static fn(int $level, string $message) => throw new ErrorException($message));
assert_throws(ErrorException::class, 'Undefined variable $missing', static fn() => (new FakeClient([new Response()], onOutcome: static fn() => $missing))->get('http://a.test/'));
done();
?>
--EXPECT--
done
