--TEST--
Response and Attempt: cloned, compared, cast and exported like plain data
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, Reason, Response};

$response = new Response(status: 201, headers: ['A' => 'b'], attempts: [new Attempt(status: 201)]);
$clone = clone $response;
assert_same(get_object_vars($response), get_object_vars($clone), 'clone');
assert_same([true, false, false], [$response == $clone, $response === $clone, $response == new Response(status: 202)], 'comparison');
assert_same(['status', 'reasonPhrase', 'protocol', 'headers', 'body', 'uri', 'attempts', 'waited', 'elapsed', 'retryAfter'], array_keys((array) $clone));
assert_throws(Error::class, 'Cannot modify readonly property RetryClient\Response::$status', static function () use ($clone) { $clone->status = 5; });

$attempt = new Attempt(2, 429, null, 1.0, 2.0, 3.0, 4.0, Reason::RetryAfter);
assert_same(get_object_vars($attempt), get_object_vars(clone $attempt), 'clone');
assert_same([true, false], [$attempt == clone $attempt, $attempt == new Attempt()], 'comparison');
assert_same('{"number":2,"status":429,"error":null,"startedAt":1,"duration":2,"wait":3,"paced":4,"reason":"retry-after"}', json_encode($attempt), 'json_encode');

$keys = [];
foreach ($attempt as $key => $value) {
    $keys[] = $key;
}
assert_same(['number', 'status', 'error', 'startedAt', 'duration', 'wait', 'paced', 'reason'], $keys, 'foreach');
done();
?>
--EXPECT--
done
