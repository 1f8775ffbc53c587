--TEST--
form is encoded as browsers do
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient(headers: ['Content-Type' => 'application/json']);
$client->post($url, form: ['a' => 'x y&z', 'list' => [1, 2], 'deep' => ['k' => ['ü' => 'é']], 'yes' => true, 'no' => false, 'none' => null, 'f' => 1.5]);
$client->post($url, ['Content-Type' => 'application/x-www-form-urlencoded; charset=utf-8'], form: ['a' => '']);

[$whole, $typed] = received('a', 2);
assert_same('a=x+y%26z&list%5B0%5D=1&list%5B1%5D=2&deep%5Bk%5D%5B%C3%BC%5D=%C3%A9&yes=1&no=0&f=1.5', body_of($whole), 'body');
assert_same('application/x-www-form-urlencoded', header_of($whole, 'Content-Type'), 'type');
assert_same('application/x-www-form-urlencoded; charset=utf-8', header_of($typed, 'Content-Type'), 'given type');
assert_same('a=', body_of($typed), 'an empty value');
done();
?>
--EXPECT--
done
