--TEST--
poll(): wrong arguments
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Request, Response};

$client = new RetryClient();
$pending = $client->start(new Request('GET', script('a', [['body' => 'x', 'delay_ms' => 50]])));
$must = 'RetryClient::poll(): Argument #2 ($timeout) must be';
assert_throws(ValueError::class, "$must greater than or equal to 0, -1 given", static fn() => RetryClient::poll([$pending], -1));
assert_throws(ValueError::class, "$must finite, NAN given", static fn() => RetryClient::poll([$pending], NAN));
assert_throws(ValueError::class, "$must finite, INF given", static fn() => RetryClient::poll([$pending], INF));
assert_throws(TypeError::class, "$must of type ?float, array given", static fn() => RetryClient::poll([$pending], []));
assert_throws(ArgumentCountError::class, 'RetryClient::poll() expects at least 1 argument, 0 given', static fn() => RetryClient::poll());
$iterable = PHP_VERSION_ID < 80200 ? 'iterable' : 'Traversable|array';
foreach ([null, 'x', $pending, new stdClass()] as $wrong) {
    $given = get_debug_type($wrong);
    $thrown = thrown_by(static fn() => RetryClient::poll($wrong), TypeError::class);
    assert_same("RetryClient::poll(): Argument #1 (\$pending) must be of type $iterable, $given given", $thrown?->getMessage(), $given);
}

// Anything but a Pending: the key is named.
foreach ([null, 5, new Response(), new Request('GET', '/'), [$pending]] as $wrong) {
    foreach (['here' => 'here', 42 => '42'] as $key => $named) {
        $thrown = thrown_by(static fn() => RetryClient::poll(['good' => $pending, $key => $wrong]), TypeError::class);
        assert_contains('RetryClient::poll(): Argument #1 ($pending)', (string) $thrown?->getMessage());
        assert_contains($named, (string) $thrown?->getMessage(), 'the key');
    }
}
// A Traversable may have keys that no array holds.
foreach ([null, 1.5, new stdClass(), [], true] as $key) {
    $generator = (static function () use ($key, $pending) { yield $key => $pending; })();
    assert_same(TypeError::class, get_debug_type(thrown_by(static fn() => RetryClient::poll($generator))), 'a key of type ' . get_debug_type($key));
}
// What the iterable throws is thrown.
$bad = new DomainException('mine');
$generator = (static function () use ($bad, $pending) { yield $pending; throw $bad; })();
assert_true(thrown_by(static fn() => RetryClient::poll($generator)) === $bad, 'a generator that throws');
assert_same('x', $pending->wait()->body, 'the call goes on');
done();
?>
--EXPECT--
done
