--TEST--
Headers that cannot be sent are refused, their values not shown
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$cases = [
    // Names are tokens.
    [[0 => 'x'], ValueError::class, 'must have header names as keys, 0 given'],
    [['A: b'], ValueError::class, 'must have header names as keys, 0 given'],
    [['' => 'x'], ValueError::class, 'must not have an empty header name'],
    [['A b' => 'x'], ValueError::class, 'must have header names as keys, "A…" is none'],
    [['A:' => 'x'], ValueError::class, 'must have header names as keys, "A…" is none'],
    [["A\r\nB" => 'x'], ValueError::class, 'must have header names as keys, "A…" is none'],
    [["A\0" => 'x'], ValueError::class, 'must have header names as keys, "A…" is none'],
    [["\xc3\xa4" => 'x'], ValueError::class, 'must have header names as keys, "…" is none'],
    [['Authorization: secret' => 'x'], ValueError::class, 'must have header names as keys, "Authorization…" is none'],
    [['A b' => []], ValueError::class, 'must have header names as keys, "A…" is none'],
    // Values are bytes without control characters.
    [['A' => "secret\r\nB: c"], ValueError::class, 'must not have a control character in the value of "A"'],
    [['A' => "secret\n"], ValueError::class, 'must not have a control character in the value of "A"'],
    [['A' => "secret\r"], ValueError::class, 'must not have a control character in the value of "A"'],
    [['A' => "\0secret"], ValueError::class, 'must not have a control character in the value of "A"'],
    [['A' => "secret\x7f"], ValueError::class, 'must not have a control character in the value of "A"'],
    [['A' => ['x', "secret\n"]], ValueError::class, 'must not have a control character in the value of "A"'],
    // Types.
    [['A' => null], TypeError::class, 'must have a string or a list of strings for "A", null given'],
    [['A' => STDIN], TypeError::class, 'must have a string or a list of strings for "A", resource given'],
    [['A' => new stdClass()], TypeError::class, 'must have a string or a list of strings for "A", stdClass given'],
    [['A' => [['x']]], TypeError::class, 'must have a string or a list of strings for "A", array given'],
    [['A' => ['x', null]], TypeError::class, 'must have a string or a list of strings for "A", null given'],
    // What the transport decides.
    [['Transfer-Encoding' => 'chunked'], ValueError::class, 'must not have "transfer-encoding", which the body decides'],
    [['expect' => '100-Continue'], ValueError::class, 'must not have "expect: 100-continue", which is not supported'],
    [['Expect' => ['x', 'y, 100-continue ']], ValueError::class, 'must not have "expect: 100-continue", which is not supported'],
];
$client = new RetryClient();
$fake = new RetryClient\FakeClient([]);
foreach ($cases as [$headers, $class, $rule]) {
    assert_throws($class, "RetryClient::__construct(): Argument #2 (\$headers) $rule", static fn() => new RetryClient(headers: $headers));
    assert_throws($class, "RetryClient::send(): Argument #3 (\$headers) $rule", static fn() => $client->send('GET', server('http'), $headers));
    assert_throws($class, "RetryClient::get(): Argument #2 (\$headers) $rule", static fn() => $client->get(server('http'), headers: $headers));
    assert_throws($class, "RetryClient\\FakeClient::post(): Argument #2 (\$headers) $rule", static fn() => $fake->post('http://a.test/', $headers));
    assert_throws($class, "RetryClient\\Request::__construct(): Argument #3 (\$headers) $rule", static fn() => new RetryClient\Request('GET', '/', $headers));
}
done();
?>
--EXPECT--
done
