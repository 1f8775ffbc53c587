--TEST--
The environment's proxy is read at each call, and no_proxy excepts hosts
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$direct = script('a', [['action' => 'echo']]);
$client = new RetryClient(verify: server('ca'));
$proxied = fn(?string $url = null): bool => str_contains($client->get($url ?? $direct)->body, 'test-proxy');
foreach (['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'] as $name) {
    putenv($name);
}
$set = function (string ...$variables) {
    foreach ($variables as $name => $value) {
        putenv("$name=$value");
    }
};
$unset = fn(string ...$names) => array_map(putenv(...), $names);

assert_same(false, $proxied(), 'none');
$set(http_proxy: server('proxy'));
assert_same(true, $proxied(), 'http_proxy');
$set(no_proxy: 'other.test,127.0.0.1');
assert_same(false, $proxied(), 'no_proxy');
$set(no_proxy: '*');
assert_same(false, $proxied(), 'no_proxy=*');
$set(no_proxy: '127.0.0.0/8');
assert_same(false, $proxied(), 'no_proxy with a network');
$set(no_proxy: 'localhost,.test');
assert_same(true, $proxied(), 'no_proxy of others');
assert_same(false, $proxied(str_replace('127.0.0.1', 'localhost', $direct)), 'no_proxy of a name');
assert_same(false, str_contains($client->with(proxy: '')->get($direct)->body, 'test-proxy'), "the option '' means none");
$unset('http_proxy', 'no_proxy');
assert_same(false, $proxied(), 'none again');
$set(HTTP_PROXY: server('proxy'));
assert_same(false, $proxied(), 'HTTP_PROXY does not count');
$set(all_proxy: server('proxy'));
assert_same(true, $proxied(), 'all_proxy');
$unset('all_proxy');
$set(ALL_PROXY: server('proxy'), NO_PROXY: '127.0.0.1');
assert_same(false, $proxied(), 'NO_PROXY');
$unset('ALL_PROXY', 'NO_PROXY', 'HTTP_PROXY');

$target = substr(server('https'), 8);
$tunnels = fn(): int => count(array_filter(control('GET', '/_log/_proxy'), fn($entry) => $entry['target'] === $target && header_of($entry, 'Proxy-Authorization') === 'Basic ' . base64_encode('env:' . getmypid())));
$set(https_proxy: str_replace('http://', 'http://env:' . getmypid() . '@', server('proxy')));
$client->get(script('b', [[]], 'https'));
assert_same(1, $tunnels(), 'https_proxy');
done();
?>
--EXPECT--
done
