--TEST--
Hooks that the constructing scope cannot call are refused
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

class Owner
{
    private function hidden(): void {}
    public function instance(): void {}
}

$must = 'RetryClient::__construct(): Argument #31 ($onRetry) must be a valid callback or null,';
assert_throws(TypeError::class, "$must cannot access private method Owner::hidden()", static fn() => new RetryClient(onRetry: [new Owner(), 'hidden']));
assert_throws(TypeError::class, "$must non-static method Owner::instance() cannot be called statically", static fn() => new RetryClient(onRetry: 'Owner::instance'));
assert_throws(TypeError::class, "$must class \"Missing\" not found", static fn() => new RetryClient(onRetry: 'Missing::method'));
assert_throws(TypeError::class, "$must function \"\" not found or invalid function name", static fn() => new RetryClient(onRetry: ''));
$must = 'RetryClient::__construct(): Argument #33 ($onOutcome) must be a valid callback or null,';
assert_throws(TypeError::class, "$must no array or string given", static fn() => new RetryClient(onOutcome: 5));
done();
?>
--EXPECT--
done
