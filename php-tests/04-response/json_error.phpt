--TEST--
Response::json(): a body that is no JSON is a JsonException
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Response;

// From PHP 8.6 on a message says where, of an empty text only some do.
$plain = static fn(string $message) => preg_replace('/ near location \d+:\d+$/', '', $message);
foreach (['', ' ', '{', "{'a':1}", 'nope', '<html>', "\xEF\xBB\xBF{}", '"' . "\xff" . '"', '[1,]', "\0", '{"a":1}x', str_repeat('[', 513) . str_repeat(']', 513)] as $body) {
    try {
        json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        fail('is JSON');
    } catch (JsonException $expected) {
    }
    $thrown = thrown_by(static fn() => (new Response(body: $body))->json(), JsonException::class);
    assert_same([$plain($expected->getMessage()), $expected->getCode(), __FILE__], [$plain($thrown->getMessage()), $thrown->getCode(), $thrown->getFile()], substr($body, 0, 10));
}
// The name of a property of an object begins with NUL.
assert_same('The decoded property name is invalid', $plain((string) thrown_by(static fn() => (new Response(body: '{"\u0000a":1}'))->json(false), JsonException::class)?->getMessage()));
assert_throws(TypeError::class, 'RetryClient\Response::json(): Argument #1 ($associative) must be of type bool, null given', static fn() => (new Response(body: '{}'))->json(null));
assert_throws(TypeError::class, 'RetryClient\Response::json(): Argument #1 ($associative) must be of type bool, array given', static fn() => (new Response(body: '{}'))->json([]));
done();
?>
--EXPECT--
done
