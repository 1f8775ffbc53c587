--TEST--
With strict_types nothing is converted but int to float
--EXTENSIONS--
retry_client
--FILE--
<?php
declare(strict_types=1);
require __DIR__ . '/../support.php';

final class Text
{
    public function __toString(): string { return 'http://a.test/'; }
}

$must = 'RetryClient::__construct(): Argument';
assert_throws(TypeError::class, "$must #3 (\$maxAttempts) must be of type int, string given", static fn() => new RetryClient(maxAttempts: '3'));
assert_throws(TypeError::class, "$must #3 (\$maxAttempts) must be of type int, float given", static fn() => new RetryClient(maxAttempts: 3.0));
assert_throws(TypeError::class, "$must #3 (\$maxAttempts) must be of type int, " . (PHP_VERSION_ID < 80300 ? 'bool' : 'true') . ' given', static fn() => new RetryClient(maxAttempts: true));
assert_throws(TypeError::class, "$must #4 (\$baseDelay) must be of type float, string given", static fn() => new RetryClient(baseDelay: '1.5'));
assert_throws(TypeError::class, "$must #10 (\$retryUnsafe) must be of type bool, int given", static fn() => new RetryClient(retryUnsafe: 1));
assert_throws(TypeError::class, "$must #17 (\$budget) must be of type ?float, string given", static fn() => new RetryClient(budget: '5'));
assert_throws(TypeError::class, "$must #22 (\$verify) must be of type string|bool, int given", static fn() => new RetryClient(verify: 0));
assert_throws(TypeError::class, "$must #27 (\$userAgent) must be of type ?string, int given", static fn() => new RetryClient(userAgent: 7));
assert_throws(TypeError::class, "$must #1 (\$baseUri) must be of type ?string, Text given", static fn() => new RetryClient(baseUri: new Text()));

assert_same('RetryClient', (new RetryClient(baseDelay: 1, timeout: 5, budget: 2))::class, 'int to float');

// The same for the options of with() and FakeClient, and for calls.
$client = new RetryClient();
assert_throws(TypeError::class, "$must #3 (\$maxAttempts) must be of type int, string given", static fn() => $client->with(maxAttempts: '3'));
assert_throws(TypeError::class, "$must #3 (\$maxAttempts) must be of type int, string given", static fn() => new RetryClient\FakeClient([], maxAttempts: '3'));
assert_same('RetryClient', $client->with(baseDelay: 1)::class, 'int to float');
assert_throws(TypeError::class, 'RetryClient::get(): Argument #1 ($uri) must be of type string, int given', static fn() => $client->get(5));
assert_throws(TypeError::class, 'RetryClient\Response::__construct(): Argument #1 ($status) must be of type int, string given', static fn() => new RetryClient\Response(status: '200'));
done();
?>
--EXPECT--
done
