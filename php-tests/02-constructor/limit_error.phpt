--TEST--
limit and limitKey: what is refused
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$must = 'RetryClient::__construct(): Argument #29 ($limit) must';
$grammar = 'be a list of limits like "40/min", "500/min burst 20", "40 per 4s" or "5 at once"';
foreach (['', ' ', '40', '40/', '/min', '40/m', '40/minute', '-40/min', '4.5/min', '1e3/min', '40 per 4s burst 2', 'five at once', '40/min,', '40/min; 5 at once'] as $limit) {
    assert_throws(ValueError::class, "$must $grammar, \"$limit\" given", static fn() => new RetryClient(limit: $limit));
}
foreach (['0/min', '40/0s', '40/min burst 0', '0 per 4s', '0 at once', '40/min, 0 at once'] as $limit) {
    assert_throws(ValueError::class, "$must have only numbers greater than or equal to 1, \"$limit\" given", static fn() => new RetryClient(limit: $limit));
}
assert_throws(ValueError::class, "$must have at most 1000 in a window like \"40 per 4s\", \"1001 per 4s\" given", static fn() => new RetryClient(limit: '1001 per 4s'));
assert_throws(ValueError::class, "$must have only numbers less than or equal to 4294967295, \"4294967296 at once\" given", static fn() => new RetryClient(limit: '4294967296 at once'));
assert_throws(ValueError::class, "$must have only periods shorter than 500 years, \"1 per 999999day\" given", static fn() => new RetryClient(limit: '1 per 999999day'));
assert_throws(ValueError::class, 'RetryClient::__construct(): Argument #30 ($limitKey) must not be empty', static fn() => new RetryClient(limitKey: ''));
done();
?>
--EXPECT--
done
