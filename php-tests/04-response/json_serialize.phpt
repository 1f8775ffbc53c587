--TEST--
json_encode of a Response: its properties by name
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, Reason, Response};

$response = new Response(429, 'Slow', '2', ['A' => ['b', 'c']], 'x', 'http://a.test/', [new Attempt(status: 429, reason: Reason::AttemptsExhausted)], 1.5, 2.5, 30);
assert_same(
    '{"status":429,"reasonPhrase":"Slow","protocol":"2","headers":{"a":["b","c"]},"body":"x","uri":"http:\/\/a.test\/","attempts":'
    . '[{"number":1,"status":429,"error":null,"startedAt":0,"duration":0,"wait":0,"paced":0,"reason":"attempts-exhausted"}],"waited":1.5,"elapsed":2.5,"retryAfter":30}',
    json_encode($response),
);
assert_same(get_object_vars($response), $response->jsonSerialize());
assert_true($response instanceof JsonSerializable, 'JsonSerializable');
assert_same(false, json_encode(new Response(body: "\xff")), 'bytes that are no UTF-8');
assert_same(JSON_ERROR_UTF8, json_last_error());
done();
?>
--EXPECT--
done
