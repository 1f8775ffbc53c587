--TEST--
Headers of the client: forms of values, and a request's own headers over them
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$all = '';
for ($byte = 32; $byte < 256; $byte++) {
    $all .= $byte === 127 ? '' : chr($byte);
}
$text = new class { public function __toString(): string { return 'stringable'; } };
$client = new RetryClient(userAgent: 'agent', headers: [
    'X-String' => 'a', 'X-List' => ['a', 'b', ''], 'X-Int' => 5, 'X-Float' => 1.5, 'X-Text' => $text, 'X-Empty' => '',
    'X-Bytes' => "\x80\xff\t!", 'X-All' => $all, 'X-Blanks' => " \t a \t ", "X-1!#$%&'*+.^_`|~" => 'token', 'x-case' => 'lower', 'X-CASE' => 'upper',
    'Accept' => 'text/plain', 'X-Mixed' => ['x', 7, $text], 'X-None' => [],
]);

/** As the server's log shows bytes: one character each. */
function latin1(string $bytes): string
{
    return preg_replace_callback('/[\x80-\xff]/', static fn($byte) => chr(0xC0 | ord($byte[0]) >> 6) . chr(0x80 | ord($byte[0]) & 0x3F), $bytes);
}

$client->get($url);
$sent = received('a', 1)[0];
assert_same('a', header_of($sent, 'X-String'));
assert_same(['a', 'b', ''], header_of($sent, 'X-List'));
assert_same('5', header_of($sent, 'X-Int'));
assert_same('1.5', header_of($sent, 'X-Float'));
assert_same('stringable', header_of($sent, 'X-Text'));
assert_same('', header_of($sent, 'X-Empty'));
assert_same(latin1("\x80\xff\t!"), header_of($sent, 'X-Bytes'), 'bytes');
assert_same(latin1(trim($all)), header_of($sent, 'X-All'), 'all bytes');
assert_same('a', header_of($sent, 'X-Blanks'));
assert_same('token', header_of($sent, "X-1!#$%&'*+.^_`|~"));
assert_same(['lower', 'upper'], header_of($sent, 'X-Case'), 'two spellings of a name');
assert_same(['x', '7', 'stringable'], header_of($sent, 'X-Mixed'));
assert_same(null, header_of($sent, 'X-None'));
assert_same('text/plain', header_of($sent, 'Accept'));
assert_same('agent', header_of($sent, 'User-Agent'));

// A name given with the request, in any case, replaces all of the client's values; an empty list silences it.
$client->get($url, headers: ['x-LIST' => 'one', 'x-string' => ['b', 'c'], 'X-INT' => [], 'user-agent' => 'other', 'X-New' => 'n']);
$sent = received('a', 2)[1];
assert_same('one', header_of($sent, 'X-List'), 'a list replaced');
assert_same(['b', 'c'], header_of($sent, 'X-String'), 'a string replaced');
assert_same(null, header_of($sent, 'X-Int'), 'silenced');
assert_same('other', header_of($sent, 'User-Agent'), 'User-Agent');
assert_same('n', header_of($sent, 'X-New'), 'added');
assert_same('1.5', header_of($sent, 'X-Float'), 'the rest stays');

// The client itself is as it was.
$client->get($url);
assert_same(['a', 'b', ''], header_of(received('a', 3)[2], 'X-List'), 'unchanged');
done();
?>
--EXPECT--
done
