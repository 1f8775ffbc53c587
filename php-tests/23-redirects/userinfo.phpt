--TEST--
Userinfo of a base URI becomes Basic credentials, which stay at its origin
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$to = script('to', [[]]);
$from = script('from', [['action' => 'redirect', 'location' => '/' . script_name('from') . '/2'], ['action' => 'redirect', 'location' => str_replace(server('http'), server('control'), $to)]]);
$base = str_replace('http://', 'http://us%C3%A9r:p%40ss:w@', server('http'));
$response = (new RetryClient($base))->get('/' . script_name('from'));
$basic = 'Basic ' . base64_encode('usér:p@ss:w');
assert_same([$basic, $basic, null], array_map(fn($entry) => header_of($entry, 'Authorization'), [...received('from', 2), ...received('to', 1)]), 'sent');
assert_same(server('control') . '/' . script_name('to'), $response->uri, 'uri');

$url = script('own', [[]]);
$with = str_replace('http://', 'http://user@', $url);
(new RetryClient())->get($with);
(new RetryClient())->get($with, ['Authorization' => 'Bearer mine']);
assert_same(['Basic ' . base64_encode('user:'), 'Bearer mine'], array_map(fn($entry) => header_of($entry, 'Authorization'), received('own', 2)), 'alone, and next to a header');
assert_same($url, (new RetryClient())->get($with)->uri, 'the uri has none');
done();
?>
--EXPECT--
done
