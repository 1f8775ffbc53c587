--TEST--
Request: what it was constructed with, unchanged
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Request;

$text = new class { public function __toString(): string { return 'text'; } };
$stream = fopen('php://memory', 'r+');

$plain = new Request('get', 'http://u:p@a.test/x?y=1#z');
assert_same(
    ['get', 'http://u:p@a.test/x?y=1#z', [], null, null, [], [], [], null, null, null],
    [$plain->method, $plain->uri, $plain->headers, $plain->body, $plain->json, $plain->form, $plain->query, $plain->multipart, $plain->sink, $plain->limitKey, $plain->cost],
    'defaults',
);

$full = new Request(
    cost: 2, limitKey: 'key', sink: $stream, query: ['a' => [1]], body: $text, headers: ['X-A' => 'b', 'x-List' => ['c', 5]], uri: 'rel', method: 'POST',
);
assert_same(['POST', 'rel', ['X-A' => 'b', 'x-List' => ['c', 5]], $text, ['a' => [1]], $stream, 'key', 2.0],
    [$full->method, $full->uri, $full->headers, $full->body, $full->query, $full->sink, $full->limitKey, $full->cost], 'by name');
assert_same(['k' => 'v'], (new Request('POST', '/', form: ['k' => 'v']))->form);
assert_same(['k' => 'v'], (new Request('POST', '/', json: ['k' => 'v']))->json);
assert_same(['f' => ['contents' => 'x', 'filename' => 'y']], (new Request('POST', '/', multipart: ['f' => ['contents' => 'x', 'filename' => 'y']]))->multipart);
assert_same($stream, (new Request('POST', '/', body: $stream))->body);

// Plain data, as of a user's class.
assert_same(array_keys(get_object_vars($full)), ['method', 'uri', 'headers', 'body', 'json', 'form', 'query', 'multipart', 'sink', 'limitKey', 'cost']);
assert_same(true, isset($full->body));
assert_same(false, isset($full->json));
assert_same('POST', ((array) $full)['method']);
assert_same(true, new Request('GET', '/a') == new Request('GET', '/a'));
assert_same(false, new Request('GET', '/a') == new Request('GET', '/b'));
foreach ((new ReflectionClass(Request::class))->getProperties() as $property) {
    assert_same([true, true], [$property->isPublic(), $property->isReadOnly()], $property->name);
}
done();
?>
--EXPECT--
done
