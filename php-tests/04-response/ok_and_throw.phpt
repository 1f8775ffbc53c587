--TEST--
Response::ok() and throw(): 200 to 299
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, AttemptsExhaustedException, HttpException, Response};

foreach ([200, 201, 204, 299] as $status) {
    $response = new Response(status: $status);
    assert_same([true, $response], [$response->ok(), $response->throw()], "$status");
}
foreach ([100, 199, 300, 304, 400, 404, 429, 500, 599, 999] as $status) {
    $response = new Response(status: $status, attempts: [new Attempt()]);
    assert_same(false, $response->ok(), "$status");
    $thrown = thrown_by(static fn() => $response->throw(), HttpException::class);
    assert_same([HttpException::class, $response, $response->attempts, $status, null], [$thrown::class, $thrown->response, $thrown->attempts, $thrown->getCode(), $thrown->getPrevious()], "$status");
    assert_same([__FILE__, __LINE__ - 2, 'throw'], [$thrown->getFile(), $thrown->getLine(), $thrown->getTrace()[0]['function']]);
}

foreach ([
    ['The server answered 404 Not Found', ['status' => 404]],
    ['http://a.test/x answered 404 Not Found', ['status' => 404, 'uri' => 'http://user:secret@a.test/x?key=secret#secret']],
    ['http://a.test/x answered 404 Nothing here', ['status' => 404, 'reasonPhrase' => 'Nothing here', 'uri' => 'http://a.test/x']],
    ['The server answered 404 Not Found after 2 attempts', ['status' => 404, 'attempts' => [new Attempt(), new Attempt(number: 2)]]],
    ['The server answered 599', ['status' => 599]],
    ['The server answered 404 a?b???c', ['status' => 404, 'reasonPhrase' => "a\nb\0\r\tc"]],
    ['The server answered 404 ' . str_repeat('x', 100), ['status' => 404, 'reasonPhrase' => str_repeat('x', 1000)]],
] as [$message, $arguments]) {
    assert_throws(HttpException::class, $message, static fn() => (new Response(...$arguments))->throw());
}
done();
?>
--EXPECT--
done
