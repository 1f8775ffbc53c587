--TEST--
Response and Attempt survive serialize and unserialize
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, FakeClient, Reason, Response};

$attempts = [
    new Attempt(number: 1, status: 429, startedAt: 1e9, duration: 0.25, wait: 30.0, paced: 1.5, reason: Reason::RetryAfter),
    new Attempt(number: 2, error: "bytes \0\xff", reason: Reason::Network),
];
foreach ([
    new Response(),
    new Response(599, "\xff", '2', ['A' => ['b', 'c'], 5 => 'd', 'X' => []], "bytes \0\xff", 'http://a.test/', $attempts, 1.5, 2.5, 0.0),
    $attempts[0],
    $attempts[1],
] as $object) {
    $copy = unserialize(serialize($object));
    assert_same($object::class, $copy::class);
    assert_true($object == $copy, 'equal');
    assert_same(serialize($object), serialize($copy));
    assert_true($object == unserialize(serialize($object), ['allowed_classes' => [Response::class, Attempt::class, Reason::class]]), 'allowed classes');
    $array = $object->__serialize();
    assert_same(get_object_vars($object), $array);
}
// The same object twice stays one object; enum cases are themselves.
[$a, $b] = unserialize(serialize([$attempts[0], $attempts[0]]));
assert_true($a === $b, 'one object');
assert_true($a->reason === Reason::RetryAfter, 'the case itself');

// What a client hands back.
$client = new FakeClient([new Response(status: 503, headers: ['Retry-After' => '2']), new Response(body: 'x')]);
$response = $client->get('http://a.test/');
$copy = unserialize(serialize($response));
assert_true($copy == $response, 'a real one');
assert_same(['x', 2.0, Reason::RetryAfter], [$copy->body, $copy->waited, $copy->attempts[0]->reason]);
done();
?>
--EXPECT--
done
