--TEST--
Response: what the constructor refuses
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, Response};

$list = 'must be a list of RetryClient\Attempt objects';
$seconds = 'must be finite and greater than or equal to 0';
foreach ([
    ['status', 99, ValueError::class, '1 ($status) must be between 100 and 999, 99 given'],
    ['status', 1000, ValueError::class, '1 ($status) must be between 100 and 999, 1000 given'],
    ['status', -1, ValueError::class, '1 ($status) must be between 100 and 999, -1 given'],
    ['status', null, TypeError::class, '1 ($status) must be of type int, null given'],
    ['status', 'OK', TypeError::class, '1 ($status) must be of type int, string given'],
    ['reasonPhrase', [], TypeError::class, '2 ($reasonPhrase) must be of type string, array given'],
    ['protocol', null, TypeError::class, '3 ($protocol) must be of type string, null given'],
    ['headers', 'a: b', TypeError::class, '4 ($headers) must be of type array, string given'],
    ['headers', ['a' => null], TypeError::class, '4 ($headers) must map header names to strings or lists of strings'],
    ['headers', ['a' => [['b']]], TypeError::class, '4 ($headers) must map header names to strings or lists of strings'],
    ['body', new stdClass(), TypeError::class, '5 ($body) must be of type string, stdClass given'],
    ['body', null, TypeError::class, '5 ($body) must be of type string, null given'],
    ['uri', [], TypeError::class, '6 ($uri) must be of type string, array given'],
    ['attempts', null, TypeError::class, '7 ($attempts) must be of type array, null given'],
    ['attempts', [1], TypeError::class, "7 (\$attempts) $list"],
    ['attempts', ['a' => new Attempt()], TypeError::class, "7 (\$attempts) $list"],
    ['attempts', [1 => new Attempt()], TypeError::class, "7 (\$attempts) $list"],
    ['attempts', [new Attempt(), new Response()], TypeError::class, "7 (\$attempts) $list"],
    ['waited', -0.5, ValueError::class, "8 (\$waited) $seconds, -0.5 given"],
    ['waited', NAN, ValueError::class, "8 (\$waited) $seconds, NAN given"],
    ['elapsed', INF, ValueError::class, "9 (\$elapsed) $seconds, INF given"],
    ['elapsed', null, TypeError::class, '9 ($elapsed) must be of type float, null given'],
    ['retryAfter', -1, ValueError::class, "10 (\$retryAfter) $seconds, -1 given"],
    ['retryAfter', -INF, ValueError::class, "10 (\$retryAfter) $seconds, -INF given"],
    ['retryAfter', 'soon', TypeError::class, '10 ($retryAfter) must be of type ?float, string given'],
] as [$name, $value, $class, $message]) {
    assert_throws($class, "RetryClient\\Response::__construct(): Argument #$message", static fn() => new Response(...[$name => $value]));
}
assert_throws(Error::class, 'Unknown named parameter $code', static fn() => new Response(code: 200));
done();
?>
--EXPECT--
done
