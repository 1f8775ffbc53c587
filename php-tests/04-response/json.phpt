--TEST--
Response::json(): as json_decode, objects as arrays unless asked otherwise
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Response;

$json = static fn(string $body, mixed ...$arguments) => (new Response(body: $body))->json(...$arguments);
assert_same(['a' => ['b' => [1, 2]]], $json('{"a":{"b":[1,2]}}'));
assert_same(['a' => 1], $json('{"a":1}', true));
$object = $json('{"a":{"b":[1,{"c":2}]}}', associative: false);
assert_same([stdClass::class, stdClass::class, 2], [$object::class, $object->a::class, $object->a->b[1]->c]);
foreach (['null' => null, 'true' => true, '5' => 5, ' "x" ' => 'x', '1.0' => 1.0, '-0' => -0, '-0.0' => -0.0, '[]' => [], '{}' => [], '{"":1}' => ['' => 1], '{"1":2}' => [1 => 2], '"\u00e4"' => 'ä'] as $body => $value) {
    assert_same($value, $json((string) $body), (string) $body);
}
// Beyond 64 bits: a float, as json_decode gives it.
assert_same(PHP_INT_MAX, $json('9223372036854775807'));
assert_same(9.2233720368547758e18, $json('9223372036854775808'));
assert_same(1.2345678901234567e29, $json('123456789012345678901234567890'));
assert_same(511, substr_count(json_encode($json(str_repeat('[', 511) . str_repeat(']', 511))), '['), 'depth');

// Each call decodes anew, and json_last_error() is left alone.
$response = new Response(body: '{"a":1}');
$first = $response->json();
$first['a'] = 2;
assert_same(['a' => 1], $response->json());
json_decode('{');
$response->json();
assert_same(JSON_ERROR_SYNTAX, json_last_error());
done();
?>
--EXPECT--
done
