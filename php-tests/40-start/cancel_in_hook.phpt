--TEST--
A call that its own hook cancels was cancelled, whatever the hook throws then
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

foreach (['onAttempt', 'onOutcome', 'onRetry'] as $hook) {
    foreach ([false, true] as $throws) {
        $pending = null;
        $calls = 0;
        $cancel = static function () use (&$pending, &$calls, $throws) {
            if ($pending === null) {
                return null;    // the first attempt, begun by start()
            }
            $calls++;
            $pending->cancel();
            assert_same(true, $pending->done(), 'in the hook');
            return $throws ? throw new DomainException('from the hook') : null;
        };
        $what = $hook . ($throws ? ', which throws' : '');
        $pending = (new RetryClient(...['baseDelay' => 0.02, 'jitter' => 0.0, $hook => $cancel]))->start(apart(script('a', [['status' => 503], []])));
        foreach ([null, 0.0, 60.0, null] as $timeout) {
            assert_throws(Error::class, 'The request was cancelled', static fn() => $pending->wait($timeout));
        }
        assert_same([1, [$pending], null], [$calls, RetryClient::poll([$pending]), $pending->status()], $what);
        (new RetryClient())->get(server('http') . '/delay/100');
        assert_same(1, count(received('a')), "$what: requests");
    }
}

// While PHP waits for another, which has nothing to do with it.
$pending = null;
$pending = (new RetryClient(onOutcome: static function () use (&$pending) {
    $pending->cancel();
    throw new DomainException('from the hook');
}))->start(apart(script('b', [[]])));
for ($i = 0; $i < 50 && !$pending->done(); $i++) {
    assert_same(200, (new RetryClient())->get(server('http') . '/delay/50')->status);
}
assert_same(true, $pending->done());
assert_throws(Error::class, 'The request was cancelled', static fn() => $pending->wait());
// Thrown without a cancel() it is the outcome.
$pending = (new RetryClient(onOutcome: static fn() => throw new DomainException('from the hook')))->start(apart(script('c', [[]])));
assert_throws(DomainException::class, 'from the hook', static fn() => $pending->wait());
done();
?>
--EXPECT--
done
