--TEST--
A Content-Type that is given stays with json
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient(headers: ['content-type' => 'application/merge-patch+json']);
$client->patch($url, json: 1);
$client->patch($url, ['CONTENT-TYPE' => 'application/json-patch+json'], json: 1);
assert_same(
    ['application/merge-patch+json', 'application/json-patch+json'],
    array_map(fn($entry) => header_of($entry, 'Content-Type'), received('a', 2)),
    'types',
);
done();
?>
--EXPECT--
done
