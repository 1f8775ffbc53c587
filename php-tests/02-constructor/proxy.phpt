--TEST--
proxy: by option, by environment, none
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\NetworkException;

foreach (['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'] as $name) {
    putenv($name);
}
$url = script('a', [['action' => 'echo']]);

/** Whether a proxy forwarded it. */
function proxied(RetryClient $client, string $url): bool
{
    $client->get($url);
    $log = received('a', 1);
    return header_of(end($log), 'Via') !== null;
}

$authority = substr(server('proxy'), strlen('http://'));
assert_same(false, proxied(new RetryClient(), $url), 'nothing set');
assert_same(true, proxied(new RetryClient(proxy: server('proxy')), $url), 'by option');
assert_same(true, proxied(new RetryClient(proxy: $authority), $url), 'without a scheme');

// With credentials, which do not reach the server behind it.
$credentials = str_replace('http://', 'http://' . server('proxy_user') . '@', server('proxy_auth'));
assert_same(true, proxied(new RetryClient(proxy: $credentials), $url), 'with credentials');
$log = received('a');
assert_same(null, header_of(end($log), 'Proxy-Authorization'), 'not passed on');
assert_same(407, (new RetryClient(proxy: server('proxy_auth')))->get($url)->status, 'without credentials');

// The environment counts as it is at the call.
$client = new RetryClient();
putenv('http_proxy=' . server('proxy'));
assert_same(true, proxied($client, $url), 'http_proxy');
assert_same(false, proxied(new RetryClient(proxy: ''), $url), 'none, whatever the environment says');
putenv('no_proxy=127.0.0.1');
assert_same(false, proxied($client, $url), 'no_proxy');
putenv('no_proxy');
putenv('http_proxy=' . server('refused'));
assert_same('connect', thrown_by(static fn() => $client->with(maxAttempts: 1)->get($url), NetworkException::class)->kind, 'nobody there');
assert_same(true, proxied($client->with(proxy: server('proxy')), $url), 'the option wins');
putenv('http_proxy');
putenv('HTTP_PROXY=' . server('refused'));
assert_same(false, proxied($client, $url), 'HTTP_PROXY never counts');
done();
?>
--EXPECT--
done
