--TEST--
query is merged over the URI's own
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
$client->get("$url/p?a=1&b=2", query: ['b' => 3, 'c d' => 'x y/z', 'list' => ['p', 'q'], 'none' => null, 'yes' => true]);
$client->get("$url/p?a=1", query: []);
$client->get("$url/p?list[]=1&list[1]=2&lists=3", query: ['list' => [9]]);
$client->get("$url/p#fragment", query: ['a' => 'ü']);
$client->get("$url/p?a&b=&c==");

assert_same([
    'a=1&b=3&c%20d=x%20y%2Fz&list%5B0%5D=p&list%5B1%5D=q&yes=1',
    'a=1',
    'lists=3&list%5B0%5D=9',
    'a=%C3%BC',
    'a&b=&c==',
], array_map(fn($entry) => explode('?', $entry['target'])[1], received('a', 5)), 'queries');
done();
?>
--EXPECT--
done
