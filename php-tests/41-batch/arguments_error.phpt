--TEST--
sendAll(): wrong arguments
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request};

$iterable = PHP_VERSION_ID < 80200 ? 'iterable' : 'Traversable|array';
$request = new Request('GET', script('a', [[]]));
foreach ([new RetryClient(), new FakeClient([])] as $client) {
    $class = get_debug_type($client);
    $must = "$class::sendAll(): Argument #";
    assert_throws(ValueError::class, "{$must}2 (\$concurrency) must be greater than or equal to 1, 0 given", static fn() => $client->sendAll([$request], 0));
    assert_throws(ValueError::class, "{$must}2 (\$concurrency) must be greater than or equal to 1, -5 given", static fn() => $client->sendAll([$request], -5));
    assert_throws(TypeError::class, "{$must}2 (\$concurrency) must be of type int, string given", static fn() => $client->sendAll([$request], 'many'));
    foreach ([null, 'x', 5, $request, new stdClass()] as $wrong) {
        $given = get_debug_type($wrong);
        assert_throws(TypeError::class, "{$must}1 (\$requests) must be of type $iterable, $given given", static fn() => $client->sendAll($wrong));
    }
    assert_throws(
        TypeError::class,
        "{$must}3 (\$onProgress) must be a valid callback or null, function \"no_such_function\" not found or invalid function name",
        static fn() => $client->sendAll([$request], onProgress: 'no_such_function'),
    );
    assert_throws(TypeError::class, "{$must}4 (\$progress) must be of type bool, array given", static fn() => $client->sendAll([$request], progress: []));
    assert_throws(TypeError::class, "{$must}5 (\$journal) must be of type ?string, array given", static fn() => $client->sendAll([$request], journal: []));
    assert_throws(ArgumentCountError::class, "$class::sendAll() expects at least 1 argument, 0 given", static fn() => $client->sendAll());
    assert_throws(Error::class, 'Unknown named parameter $concurency', static fn() => $client->sendAll([$request], concurency: 5));
}
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
