--TEST--
Base URIs that are none
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$scheme = 'must have the scheme http or https';
$host = 'must have a host';
$control = 'must not contain control characters';
$valid = 'must be a valid URI';
foreach ([
    ['', $scheme], ['v1', $scheme], ['/v1', $scheme], ['//a.test', $scheme], ['?x', $scheme], ['#', $scheme],
    ['a.test', $scheme], ['localhost:8080', $scheme], ['ftp://a.test', $scheme], ['file:///etc/passwd', $scheme],
    ['javascript:alert(1)', $scheme], ['httpx://a.test', $scheme], [' http://a.test', $scheme],
    ['http://', $host], ['http:///x', $host], ['http:a.test', $host], ['http:/a.test', $host], ['https://user@', $host],
    ['https://user:pass@:80/', $host], ['http://?x', $host], ['http://#x', $host],
    ["http://a.test\n", $control], ["http://a.test/\0", $control], ["\thttp://a.test", $control], ["http://a.test/\x7f", $control],
    ['http://a test/', $valid], ['http://a.test:99999/', $valid], ['http://a.test:x/', $valid], ['http://[::1', $valid],
    ['http://a\\b.test/', $valid], ['http://256.256.256.256/', $valid], ['http://a<b>.test/', $valid],
] as [$uri, $rule]) {
    assert_throws(ValueError::class, "RetryClient::__construct(): Argument #1 (\$baseUri) $rule", static fn() => new RetryClient(baseUri: $uri));
}
done();
?>
--EXPECT--
done
