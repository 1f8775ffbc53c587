--TEST--
What is sent without being asked for can be replaced
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
$client->get($url);
$client->get($url, ['User-Agent' => 'mine', 'Accept' => 'text/csv', 'Accept-Encoding' => 'identity', 'Host' => 'other.test']);
$client->get($url, ['user-agent' => []]);
(new RetryClient(userAgent: 'agent/1'))->get($url);
(new RetryClient(userAgent: ''))->get($url);

[$default, $replaced, $silenced, $agent, $none] = received('a', 5);
assert_same(1, preg_match('~^retry_client/\d+\.\d+\.\d+ PHP/' . preg_quote(PHP_VERSION) . '$~', header_of($default, 'User-Agent')), 'user agent');
assert_same('*/*', header_of($default, 'Accept'), 'accept');
$codings = preg_split('/, ?/', header_of($default, 'Accept-Encoding'));
sort($codings);
assert_same(['br', 'deflate', 'gzip', 'zstd'], $codings, 'codings');
assert_same(substr(server('http'), 7), header_of($default, 'Host'), 'host');
assert_same(['mine', 'text/csv', 'identity', 'other.test'], array_map(fn($n) => header_of($replaced, $n), ['User-Agent', 'Accept', 'Accept-Encoding', 'Host']), 'replaced');
assert_same([null, 'agent/1', null], array_map(fn($e) => header_of($e, 'User-Agent'), [$silenced, $agent, $none]), 'user agents');
assert_same([], array_diff(array_map(strtolower(...), array_column($default['headers'], 0)), ['host', 'user-agent', 'accept', 'accept-encoding']), 'others');
done();
?>
--EXPECT--
done
