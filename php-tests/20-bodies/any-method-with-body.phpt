--TEST--
Any method may have a body
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
foreach (['GET', 'DELETE', 'OPTIONS', 'PROPFIND'] as $method) {
    $client->send($method, $url, body: "of $method");
}
assert_same(['of GET', 'of DELETE', 'of OPTIONS', 'of PROPFIND'], array_map(body_of(...), received('a', 4)));
done();
?>
--EXPECT--
done
