--TEST--
poll() with a timeout gives [] where wait() gives null: in a call's own hook, or while that hook has suspended its fiber
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$pending = null;
$polled = [];
$pending = (new RetryClient(onOutcome: static function () use (&$pending, &$polled) {
    RetryClient::poll([$pending], 0.0);    // its headers have come
    $polled = [RetryClient::poll([$pending], 0.0), RetryClient::poll([$pending], 60.0)];
    $polled[] = thrown_by(static fn() => RetryClient::poll([$pending]), Error::class)?->getMessage();
}))->start(apart(script('a', [['body' => 'x']])));
assert_same('x', $pending->wait()->body);
assert_same([[], [], 'A request cannot be waited for in its own callback'], $polled, 'in the hook');

$pending = (new RetryClient(onOutcome: static function () { Fiber::suspend(); }))->start(apart(script('b', [['body' => 'x']])));
$fiber = new Fiber(static fn() => $pending->wait()->body);
$fiber->start();
RetryClient::poll([$pending], 0.0);
assert_same([], RetryClient::poll([$pending], 0.0), 'suspended');
assert_same([], RetryClient::poll([$pending], 60.0), 'suspended, with a timeout');
$fiber->resume();
assert_same('x', $fiber->getReturn());
done();
?>
--EXPECT--
done
