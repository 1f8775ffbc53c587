--TEST--
A string body is sent byte for byte, with its length and no type
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$all = implode(array_map(chr(...), range(0, 255)));
$url = script('a', [[]]);
$client = new RetryClient();
$client->post($url, body: $all);
$client->post($url, body: '');
$client->post($url);
$client->put($url, ['Content-Type' => 'text/plain', 'Content-Length' => 3], 'abc');
$client->get($url);

[$bytes, $empty, $none, $typed, $get] = received('a', 5);
assert_same($all, body_of($bytes), 'body');
assert_same('256', header_of($bytes, 'Content-Length'), 'length');
assert_same(null, header_of($bytes, 'Content-Type'), 'type');
assert_same('0', header_of($empty, 'Content-Length'), 'length of an empty body');
assert_same('0', header_of($none, 'Content-Length'), 'length of a POST without body');
assert_same('text/plain', header_of($typed, 'Content-Type'), 'given type');
assert_same('3', header_of($typed, 'Content-Length'), 'given length');
assert_same('abc', body_of($typed), 'body of a PUT');
assert_same(null, header_of($get, 'Content-Length'), 'length of a GET');
done();
?>
--EXPECT--
done
