--TEST--
Unknown, repeated and too many arguments
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

assert_throws(Error::class, 'Unknown named parameter $nope', static fn() => new RetryClient(nope: 1));
assert_throws(Error::class, 'Unknown named parameter $maxattempts', static fn() => new RetryClient(maxattempts: 1));
assert_throws(Error::class, 'Unknown named parameter $base_uri', static fn() => new RetryClient(...['base_uri' => 'http://a.test']));
assert_throws(Error::class, 'Named parameter $baseUri overwrites previous argument', static fn() => new RetryClient('http://a.test', baseUri: 'http://b.test'));
assert_throws(ArgumentCountError::class, 'RetryClient::__construct() expects at most 33 arguments, 34 given', static fn() => new RetryClient(...[null, [], 5, 0.5, 2.0, 30.0, 0.25, 30.0, [], false, true, true, false, 600.0, 10.0, null, null, 5, true, 1, null, true, null, null, [], null, null, true, null, null, null, null, null, 1]));
// The way of Guzzle: an array of options is no base URI.
assert_throws(TypeError::class, 'RetryClient::__construct(): Argument #1 ($baseUri) must be of type ?string, array given', static fn() => new RetryClient(['base_uri' => 'http://a.test']));
done();
?>
--EXPECT--
done
