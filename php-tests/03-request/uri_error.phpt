--TEST--
URIs that lead nowhere
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$control = 'must not contain control characters';
$relative = 'must be an absolute http or https URI when there is no base URI';
$scheme = 'must have the scheme http or https';
$host = 'must have a host';
$valid = 'must be a valid URI';
$client = new RetryClient();
$based = new RetryClient(baseUri: server('refused'));
foreach ([
    // URI, without a base, with one (null: can be sent).
    ['', $relative, null], ['/a', $relative, null], ['a', $relative, null], ['?q', $relative, null], ['//a.test/', $relative, null],
    ['ftp://a.test/', $scheme, $scheme], ['file:///etc/passwd', $scheme, $scheme], ['mailto:a@b.test', $scheme, $scheme], ['models:list', $scheme, $scheme],
    ['javascript:alert(1)', $scheme, $scheme], ['gopher://a.test:70/_x', $scheme, $scheme],
    ['http://', $host, $host], ['http:a', $host, $host], ['http:///a', $host, $host], ['//', $host, $host], ['///a', $host, $host], ['http://u:secret@/', $host, $host],
    ["http://a.test/\r\nX: y", $control, $control], ["/a\0b", $control, $control], ["/a\tb", $control, $control], ["\n", $control, $control],
    ['http://a.test:65536/', $valid, $valid], ['http://[::1/', $valid, $valid], ['//a b/', $valid, $valid], ['http://a\\@b.test/', $valid, $valid],
] as [$uri, $alone, $joined]) {
    $shown = addcslashes($uri, "\0..\37");
    assert_throws(ValueError::class, "RetryClient::get(): Argument #1 (\$uri) $alone", static fn() => $client->get($uri));
    assert_throws(ValueError::class, "RetryClient::send(): Argument #2 (\$uri) $alone", static fn() => $client->send('GET', $uri));
    if ($joined !== null) {
        assert_throws(ValueError::class, "RetryClient::get(): Argument #1 (\$uri) $joined", static fn() => $based->get($uri));
        assert_throws(ValueError::class, "RetryClient\\Request::__construct(): Argument #2 (\$uri) $joined", static fn() => new RetryClient\Request('GET', $uri));
    } else {
        assert_same($uri, (new RetryClient\Request('GET', $uri))->uri, $shown);
        assert_throws(
            ValueError::class,
            "RetryClient::sendRequest(): Argument #1 (\$request) property \$uri $alone",
            static fn() => $client->sendRequest(new RetryClient\Request('GET', $uri)),
        );
    }
}
assert_throws(TypeError::class, 'RetryClient::get(): Argument #1 ($uri) must be of type string, null given', static fn() => $client->get(null));
assert_throws(ArgumentCountError::class, 'RetryClient::get() expects at least 1 argument, 0 given', static fn() => $client->get());
assert_throws(ArgumentCountError::class, 'RetryClient::get() expects at most 10 arguments, 11 given', static fn() => $client->get('/', [], null, null, [], [], [], null, null, null, 1));
assert_throws(Error::class, 'Unknown named parameter $url', static fn() => $client->get(url: '/'));
done();
?>
--EXPECT--
done
