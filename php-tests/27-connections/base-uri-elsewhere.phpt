--TEST--
Credentials of a base URI do not go to another host
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$base = str_replace('http://', 'http://user:s3cret@', server('http'));
$client = new RetryClient($base);
$name = script_name('a');
script('a', [[]]);
$client->get("/$name");
$client->get(server('control') . "/$name");
$client->get('//' . substr(server('control'), 7) . "/$name");
assert_same(['Basic ' . base64_encode('user:s3cret'), null, null], array_map(fn($entry) => header_of($entry, 'Authorization'), received('a', 3)));
done();
?>
--EXPECT--
done
