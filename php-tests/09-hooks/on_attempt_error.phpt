--TEST--
onAttempt: what it must not return
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$must = 'RetryClient\FakeClient::post(): Return value of onAttempt must';
$bool = static fn(string $value) => PHP_VERSION_ID < 80300 ? 'bool' : $value;
foreach ([
    [5, TypeError::class, 'be of type ?array, int returned'],
    ['A: b', TypeError::class, 'be of type ?array, string returned'],
    [false, TypeError::class, 'be of type ?array, ' . $bool('false') . ' returned'],
    [new stdClass(), TypeError::class, 'be of type ?array, stdClass returned'],
    [['A: b'], ValueError::class, 'have header names as keys, 0 given'],
    [['A b' => 'c'], ValueError::class, 'have header names as keys, "A…" is none'],
    [['A' => null], TypeError::class, 'have a string or a list of strings for "A", null given'],
    [['A' => "b\r\nC: d"], ValueError::class, 'not have a control character in the value of "A"'],
    [['Transfer-Encoding' => 'chunked'], ValueError::class, 'not have "transfer-encoding", which the body decides'],
    [['Expect' => '100-continue'], ValueError::class, 'not have "expect: 100-continue", which is not supported'],
    [['Content-Length' => '5'], ValueError::class, 'not have another "content-length" than the body\'s, which is 4'],
] as [$returned, $class, $rule]) {
    $client = new FakeClient([new Response()], onAttempt: static fn() => $returned);
    assert_throws($class, "$must $rule", static fn() => $client->post('http://a.test/', body: 'body'));
    assert_same([], $client->requests(), 'nothing is sent');
}
$message = 'RetryClient::sendRequest(): Return value of onAttempt must be of type ?array, int returned';
assert_throws(TypeError::class, $message, static fn() => (new RetryClient(onAttempt: static fn() => 5))->sendRequest(new RetryClient\Request('GET', server('refused'))));
done();
?>
--EXPECT--
done
