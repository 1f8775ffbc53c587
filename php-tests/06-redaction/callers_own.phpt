--TEST--
What a caller reads from a Request's own properties is what was given
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/secrets.inc';

$request = secret_request();
assert_same(secret_uri(server('refused')), $request->uri);
assert_same(secret('authorization'), $request->headers['authorization']);
assert_same(['a' => secret('body')], $request->json);
assert_same([secret('limitKey'), ['key' => secret('query')]], [$request->limitKey, $request->query]);
assert_same(secret('authorization'), ((array) $request)['headers']['authorization'], 'cast');
assert_contains(secret('authorization'), json_encode($request), 'json_encode');
assert_same(secret('limitKey'), get_object_vars($request)['limitKey']);

// A hook gets the request itself, not its dump.
$seen = null;
$client = new RetryClient\FakeClient([new RetryClient\Response()], onAttempt: static function ($request) use (&$seen) { $seen = $request; });
$client->sendRequest($request);
assert_true($seen === $request, 'the same object');
done();
?>
--EXPECT--
done
