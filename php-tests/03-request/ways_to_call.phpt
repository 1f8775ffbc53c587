--TEST--
Methods called as callables, with named arguments, by reflection
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Request, Response};

$client = new FakeClient(static fn(Request $request) => new Response(body: "$request->method $request->uri"));
$bodies = static fn(array $responses) => array_map(static fn(Response $response) => $response->body, $responses);
assert_same(['GET http://a.test/', 'GET http://b.test/'], $bodies(array_map([$client, 'get'], ['http://a.test/', 'http://b.test/'])));
assert_same(['PUT http://a.test/', 'PUT http://b.test/'], $bodies(array_map($client->put(...), ['http://a.test/', 'http://b.test/'])));
assert_same('POST http://a.test/', call_user_func_array([$client, 'send'], ['uri' => 'http://a.test/', 'method' => 'post'])->body);
assert_same('GET http://a.test/', (new ReflectionMethod($client, 'get'))->invokeArgs($client, ['uri' => 'http://a.test/'])->body);
$arguments = ['uri' => 'http://a.test/', 'query' => ['a' => 1]];
assert_same('GET http://a.test/?a=1', $client->get(...$arguments)->body);

foreach ([
    call_user_func_array([$client, 'with'], ['maxAttempts' => 1]),
    $client->with(...)(maxAttempts: 1),
    (new ReflectionMethod($client, 'with'))->invoke($client, maxAttempts: 1),
    $client->with(...['maxAttempts' => 1]),
] as $copy) {
    assert_same('GET http://a.test/', $copy->get('http://a.test/')->body);
}
assert_same(RetryClient::class, (new ReflectionClass(RetryClient::class))->newInstanceArgs(['maxAttempts' => 2])::class);
assert_same(FakeClient::class, (new ReflectionClass(FakeClient::class))->newInstance([new Response()], maxAttempts: 2)::class);

// In a destructor, while an exception is on its way.
$seen = null;
$loud = new class($client, $seen) {
    public function __construct(private FakeClient $client, private mixed &$seen) {}
    public function __destruct() { $this->seen = $this->client->get('http://c.test/')->body; }
};
assert_throws(LogicException::class, 'on its way', static function () use (&$loud) {
    $last = $loud;
    $loud = null;
    throw new LogicException('on its way');
});
assert_same('GET http://c.test/', $seen);

// As keys and by weak references.
$weak = WeakReference::create($copy);
$map = new WeakMap();
$map[$copy] = 1;
assert_same($copy, $weak->get());
unset($copy);
assert_same([null, 0], [$weak->get(), count($map)]);
done();
?>
--EXPECT--
done
