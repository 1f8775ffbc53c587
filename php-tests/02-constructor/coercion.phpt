--TEST--
Without strict_types values are converted as for php-src's own functions
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

final class Text
{
    public function __construct(private string $text) {}
    public function __toString(): string { return $this->text; }
}

/** How many sends, and the waits between them. */
function sends(mixed ...$options): array
{
    $waits = [];
    $options['onRetry'] = static function ($attempt, float $wait) use (&$waits) { $waits[] = $wait; };
    $options['throwOnGiveUp'] ??= '';
    $client = new FakeClient(static fn() => new Response(status: 500), ...$options);
    $client->get('http://a.test/');
    return [count($client->requests()), $waits];
}

// int
assert_same(3, sends(maxAttempts: '3')[0], 'a numeric string');
assert_same(3, sends(maxAttempts: ' 3 ')[0], 'with blanks');
assert_same(2, sends(maxAttempts: 2.0)[0], 'a whole float');
assert_same(1, sends(maxAttempts: true)[0], 'true');
assert_same(2, sends(maxAttempts: '2e0')[0], 'a whole float as string');
$deprecated = null;
set_error_handler(static function (int $level, string $message) use (&$deprecated) { $deprecated = [$level, $message]; return true; });
assert_same(2, sends(maxAttempts: 2.5)[0], 'a fraction');
assert_same([E_DEPRECATED, 'Implicit conversion from float 2.5 to int loses precision'], $deprecated, 'warning');
restore_error_handler();

// float
assert_same([2, [4.0]], sends(maxAttempts: 2, baseDelay: 4), 'an int');
assert_same([2, [1.5]], sends(maxAttempts: 2, baseDelay: '1.5'), 'a numeric string');
assert_same([2, [1.0]], sends(maxAttempts: 2, baseDelay: true), 'true');

// bool
foreach ([1, '1', 'yes', 0.5, 'false'] as $true) {
    thrown_by(static fn() => sends(throwOnGiveUp: $true), RetryClient\AttemptsExhaustedException::class);
}
foreach ([0, '0', '', 0.0, new stdClass()] as $false) {
    if (is_object($false)) {
        thrown_by(static fn() => sends(throwOnGiveUp: $false), TypeError::class);
    } else {
        assert_same(5, sends(throwOnGiveUp: $false)[0], 'false: ' . var_export($false, true));
    }
}

// string
$client = new FakeClient([new Response(), new Response()], baseUri: new Text('http://a.test/v1'), userAgent: 7);
$client->get('x');
assert_same('http://a.test/v1/x', $client->requests()[0]->uri, 'Stringable');
assert_same(['7'], $client->requests()[0]->headers['user-agent'], 'an int');

// string|bool: a number becomes a string, as in any union of PHP.
$must = 'RetryClient::__construct(): Argument #22 ($verify) must be a readable PEM file with CA certificates';
assert_throws(ValueError::class, $must, static fn() => new RetryClient(verify: 0));
assert_throws(ValueError::class, $must, static fn() => new RetryClient(verify: new Text(__FILE__)));
done();
?>
--EXPECT--
done
