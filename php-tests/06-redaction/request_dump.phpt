--TEST--
What a dump shows of a Request: names, sizes, and what is no secret
--EXTENSIONS--
retry_client
--FILE--
<?php
use RetryClient\Request;

var_dump(new Request(
    'POST', 'https://user:pass@a.test/path?key=1#part',
    headers: ['Authorization' => 'Bearer x', 'X-Api-Key' => ['a', 'b'], 'Accept' => 'text/plain', 'X-List' => ['c', 'd']],
    body: 'four', query: ['page' => 2, 'filter' => ['x']], sink: '/tmp/file', limitKey: 'key', cost: 1.5,
));
print_r(new Request('POST', '/relative', json: ['user' => 'x', 'deep' => ['y']]));
var_export(new Request('POST', '//user@a.test', form: ['user' => 'x', 5 => 'y']));
echo "\n";
print_r((new Request('GET', '/?secret'))->uri);
?>
--EXPECT--
object(RetryClient\Request)#1 (11) {
  ["method"]=>
  string(4) "POST"
  ["uri"]=>
  string(41) "https://[redacted]@a.test/path?[redacted]"
  ["headers"]=>
  array(4) {
    ["Authorization"]=>
    string(10) "[redacted]"
    ["X-Api-Key"]=>
    string(10) "[redacted]"
    ["Accept"]=>
    string(10) "text/plain"
    ["X-List"]=>
    array(2) {
      [0]=>
      string(1) "c"
      [1]=>
      string(1) "d"
    }
  }
  ["body"]=>
  string(9) "[4 bytes]"
  ["json"]=>
  NULL
  ["form"]=>
  array(0) {
  }
  ["query"]=>
  array(2) {
    ["page"]=>
    string(10) "[redacted]"
    ["filter"]=>
    string(10) "[redacted]"
  }
  ["multipart"]=>
  array(0) {
  }
  ["sink"]=>
  string(9) "/tmp/file"
  ["limitKey"]=>
  string(9) "[3 bytes]"
  ["cost"]=>
  float(1.5)
}
RetryClient\Request Object
(
    [method] => POST
    [uri] => /relative
    [headers] => Array
        (
        )

    [body] => 
    [json] => Array
        (
            [user] => [redacted]
            [deep] => [redacted]
        )

    [form] => Array
        (
        )

    [query] => Array
        (
        )

    [multipart] => Array
        (
        )

    [sink] => 
    [limitKey] => 
    [cost] => 
)
\RetryClient\Request::__set_state(array(
   'method' => 'POST',
   'uri' => '//[redacted]@a.test',
   'headers' => 
  array (
  ),
   'body' => NULL,
   'json' => NULL,
   'form' => 
  array (
    'user' => '[redacted]',
    5 => '[redacted]',
  ),
   'query' => 
  array (
  ),
   'multipart' => 
  array (
  ),
   'sink' => NULL,
   'limitKey' => NULL,
   'cost' => NULL,
))
/?secret
