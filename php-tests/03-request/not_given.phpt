--TEST--
Null and empty arrays mean "not given"; other empty values are values
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Request, Response};

$url = script('a', [[]]);
$client = new RetryClient();
$number = 0;
foreach ([
    // arguments, body, content type
    [['body' => null, 'json' => null, 'form' => [], 'multipart' => [], 'sink' => null, 'query' => [], 'headers' => [], 'limitKey' => null, 'cost' => null], '', null],
    [['body' => 'null', 'json' => null], 'null', null],
    [['body' => '', 'json' => null, 'form' => []], '', null],
    [['json' => false, 'form' => [], 'multipart' => []], 'false', 'application/json'],
    [['json' => 0], '0', 'application/json'],
    [['json' => ''], '""', 'application/json'],
    [['json' => []], '[]', 'application/json'],
    [['json' => new stdClass()], '{}', 'application/json'],
    [['form' => ['a' => '']], 'a=', 'application/x-www-form-urlencoded'],
    [['form' => [0]], '0=0', 'application/x-www-form-urlencoded'],
] as [$arguments, $body, $type]) {
    $client->post($url, ...$arguments);
    $sent = received('a', ++$number)[$number - 1];
    assert_same([$body, $type], [body_of($sent), header_of($sent, 'Content-Type')], json_encode($arguments));
}
done();
?>
--EXPECT--
done
