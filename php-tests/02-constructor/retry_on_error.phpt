--TEST--
retryOn: what is neither a status nor a class
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$must = 'RetryClient::__construct(): Argument #9 ($retryOn) must';
$bool = PHP_VERSION_ID < 80300 ? 'bool' : 'true';
foreach ([
    [99, '99'], [600, '600'], [0, '0'], [-429, '-429'], [65536 + 429, '65965'], [PHP_INT_MAX, '9223372036854775807'],
    ['429', '"429"'], ['', '""'], ['0xx', '"0xx"'], ['6xx', '"6xx"'], ['5x', '"5x"'], ['5xxx', '"5xxx"'], [' 5xx', '" 5xx"'], ['xxx', '"xxx"'],
    ["5xx\n", '"5xx?"'],
] as [$wrong, $shown]) {
    assert_throws(ValueError::class, "$must contain only statuses from 100 to 599 and classes \"1xx\" to \"5xx\", $shown given", static fn() => new RetryClient(retryOn: [500, $wrong]));
}
foreach ([[null, 'null'], [429.0, 'float'], [true, $bool], [[429], 'array'], [new stdClass(), 'stdClass']] as [$wrong, $type]) {
    assert_throws(TypeError::class, "$must have only ints and strings, $type given", static fn() => new RetryClient(retryOn: [500, $wrong]));
}
done();
?>
--EXPECT--
done
