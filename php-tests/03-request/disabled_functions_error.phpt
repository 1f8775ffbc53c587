--TEST--
Without json_encode or http_build_query what needs them is an Error
--EXTENSIONS--
retry_client
--INI--
disable_functions=json_encode,http_build_query
--FILE--
<?php
use RetryClient\{FakeClient, Response};

$client = new FakeClient([new Response(body: '{"a": 1}')]);
foreach (['json' => 1, 'form' => ['a' => 1], 'query' => ['a' => 1]] as $name => $value) {
    try {
        $client->post('http://a.test/', ...[$name => $value]);
    } catch (Error $e) {
        echo "$name: ", $e->getMessage(), "\n";
    }
}
echo $client->post('http://a.test/', body: '{}')->json()['a'], "\n";
?>
--EXPECT--
json: Call to undefined function json_encode()
form: Call to undefined function http_build_query()
query: Call to undefined function http_build_query()
1
