--TEST--
FakeClient: answers used up are an UnderflowException, with the request that had none
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$message = static fn(int $number, string $request, int $given) => "RetryClient\\FakeClient has no answer left for request $number, $request; $given given";
$client = new FakeClient([]);
assert_throws(UnderflowException::class, $message(1, 'GET http://a.test/', 0), static fn() => $client->get('http://a.test/'));
assert_throws(UnderflowException::class, $message(2, 'POST http://a.test/x?[redacted]', 0), static fn() => $client->post('http://user:secret@a.test/x?secret'));
assert_same(2, count($client->requests()), 'they are noted');

// In the middle of a call.
$client = new FakeClient([new Response(status: 503)]);
assert_throws(UnderflowException::class, $message(2, 'GET http://a.test/', 1), static fn() => $client->get('http://a.test/'));
assert_same(2, count($client->requests()));
$e = thrown_by(static fn() => $client->get('http://a.test/'), UnderflowException::class);
assert_same([__FILE__, __LINE__ - 1, false], [$e->getFile(), $e->getLine(), $e instanceof RetryClient\Exception]);
done();
?>
--EXPECT--
done
