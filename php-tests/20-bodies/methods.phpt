--TEST--
Every method arrives as it is named
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
$client->get($url);
$client->post($url);
$client->put($url);
$client->patch($url);
$client->delete($url);
$client->head($url);
foreach (['OPTIONS', 'TRACE', 'PROPFIND', 'post', 'Purge', 'M-SEARCH'] as $method) {
    $client->send($method, $url);
}
$client->sendRequest(new RetryClient\Request('REPORT', $url, body: 'x'));
assert_same(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'POST', 'Purge', 'M-SEARCH', 'REPORT'],
    array_column(received('a', 13), 'method'),
);
done();
?>
--EXPECT--
done
