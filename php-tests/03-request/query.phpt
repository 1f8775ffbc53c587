--TEST--
query: encoded like http_build_query, a name of the URI's own replaced
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

function merged(string $uri, array $query): string
{
    $client = new FakeClient([new Response()], baseUri: 'http://a.test/');
    $client->get($uri, query: $query);
    return substr($client->requests()[0]->uri, strlen('http://a.test/'));
}

foreach ([
    ['?a=1&b=2', ['b' => 3], '?a=1&b=3'],
    ['?a=1', ['b' => ''], '?a=1&b='],
    ['?a=1&a=2&b=3', ['a' => 4], '?b=3&a=4'],
    ['?a[]=1&a%5B1%5D=2&ab=3', ['a' => ['x', 'y']], '?ab=3&a%5B0%5D=x&a%5B1%5D=y'],
    ['?a=1&b', ['b' => 2], '?a=1&b=2'],
    ['?a+b=1', ['a b' => 2], '?a%20b=2'],
    ['?%61=1', ['a' => 2], '?a=2'],
    ['?a=1', ['a' => null], ''],
    ['?a=1&b=2', ['a' => null], '?b=2'],
    ['?a=1&b=2', ['a' => []], '?b=2'],
    ['?A=1', ['a' => 2], '?A=1&a=2'],
    ['', ['q' => "x y&=+#/?\u{e4}"], '?q=x%20y%26%3D%2B%23%2F%3F%C3%A4'],
    ['', ['t' => true, 'f' => false, 'n' => null, 'i' => 7, 'd' => 1.5], '?t=1&f=0&i=7&d=1.5'],
    ['', ['a', 'b'], '?0=a&1=b'],
    ['', ['a' => ['b' => ['c' => 1]]], '?a%5Bb%5D%5Bc%5D=1'],
    ['x?a=%20#frag', ['b' => 1], 'x?a=%20&b=1'],
    ['?', ['a' => 1], '?a=1'],
    ['?&&a=1&', ['b' => 1], '?a=1&b=1'],
    ['?a=b%26c', ['d' => 1], '?a=b%26c&d=1'],
    ['?a=1&b=2', [], '?a=1&b=2'],
] as [$uri, $query, $expected]) {
    assert_same($expected, merged($uri, $query), $uri . ' ' . json_encode($query));
}
done();
?>
--EXPECT--
done
