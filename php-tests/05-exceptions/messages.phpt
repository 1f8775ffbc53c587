--TEST--
The sentences of exceptions
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient as R;
use RetryClient\{FakeClient, Response};

$status = static fn(int $status, mixed ...$more) => array_fill(0, 5, new Response($status, ...$more));
$down = array_fill(0, 5, new R\NetworkException('the line is dead', kind: 'connect'));
foreach ([
    ['POST http://a.test/x answered 500 Internal Server Error after 5 attempts', $status(500), []],
    ['POST http://a.test/x answered 500 Oh no after 2 attempts', $status(500, reasonPhrase: 'Oh no'), ['maxAttempts' => 2]],
    ['POST http://a.test/x answered 429 Too Many Requests', $status(429), ['maxAttempts' => 1]],
    ['POST http://a.test/x answered 429 Too Many Requests, and onRetry stopped', $status(429), ['onRetry' => static fn() => false]],
    ['POST http://a.test/x answered 404 Not Found', $status(404), ['throwOnError' => true]],
    ['POST http://a.test/x got no response after 5 attempts: the line is dead', $down, []],
    ['POST http://a.test/x got no response: the line is dead', $down, ['maxAttempts' => 1]],
    ['POST http://a.test/x answered 429 Too Many Requests; the next attempt is due in 30 seconds, with 10 seconds left', $status(429, headers: ['Retry-After' => '30']), ['budget' => 10]],
    ['POST http://a.test/x answered 500 Internal Server Error after 2 attempts; the next attempt is due in 1 second, with 0.7 seconds left', $status(500), ['budget' => 1.2]],
    ['POST http://a.test/x got no response: the line is dead; the next attempt is due in 0.5 seconds, with 0.25 seconds left', $down, ['budget' => 0.25]],
] as [$message, $answers, $options]) {
    $thrown = thrown_by(static fn() => (new FakeClient($answers, ...$options))->post('http://user:secret@a.test/x?secret#secret'), R\Exception::class);
    assert_same($message, $thrown->getMessage());
}
// After a redirect the address that answered is named.
$redirected = new FakeClient([new Response(302, headers: ['Location' => 'http://b.test/y?secret']), new Response(404)], throwOnError: true);
assert_same('GET http://b.test/y answered 404 Not Found', thrown_by(static fn() => $redirected->get('http://a.test/x'), R\HttpException::class)->getMessage());
done();
?>
--EXPECT--
done
