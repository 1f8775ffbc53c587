--TEST--
httpVersion: '1.0', '1.1' or null, and nothing else
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\FakeClient;

$argument = 'RetryClient::__construct(): Argument #26 ($httpVersion)';
$must = "$argument must be \"1.0\", \"1.1\" or null,";
// 1.0 as a string is "1".
foreach (['' => '', '1' => '1', '2' => '2', '2.0' => '2.0', '3' => '3', 'HTTP/1.1' => 'HTTP/1.1', ' 1.1' => ' 1.1', "1.1\0" => '1.1?', "1.1\n" => '1.1?', '1.10' => '1.10'] as $version => $shown) {
    assert_throws(ValueError::class, "$must \"$shown\" given", static fn() => new RetryClient(httpVersion: (string) $version));
}
assert_throws(ValueError::class, "$must \"1\" given", static fn() => new RetryClient(httpVersion: 1.0));
assert_throws(TypeError::class, "$argument must be of type ?string, array given", static fn() => new RetryClient(httpVersion: ['1.1']));
assert_throws(ValueError::class, "$must \"2\" given", static fn() => (new RetryClient())->with(httpVersion: '2'));
assert_throws(ValueError::class, "$must \"2\" given", static fn() => new FakeClient([], httpVersion: '2'));
done();
?>
--EXPECT--
done
