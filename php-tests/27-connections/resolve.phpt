--TEST--
resolve: addresses instead of DNS; certificate, Host header and redirects stay the host's
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, NetworkException, Response};

/** The address of a script, at another host. */
function at(string $host, string $name, array $steps, string $on = 'http'): string
{
    return preg_replace('~//[^:/]+~', "//$host", script($name, $steps, $on));
}

/** Where a request came from, without the port; the same as where it went to. */
function address_of(array $entry): string
{
    return preg_replace('/:\d+$/', '', $entry['peer']);
}

// A label of 64 bytes: the system's resolver fails without asking anybody.
$nowhere = str_repeat('a', 64) . '.test';
$port = parse_url(server('http'), PHP_URL_PORT);
$client = new RetryClient(maxAttempts: 1, proxy: '', verify: server('ca'));
$known = $client->with(resolve: ['API.Test' => '127.0.0.1', 'bücher.test' => '127.0.0.1', 'wrong.invalid' => '127.0.0.1']);

// In any case, and in any script.
foreach (['api.test', 'API.TEST', 'bücher.test'] as $host) {
    $url = at($host, 'a', [['body' => 'x']]);
    assert_same('x', $known->get($url)->body, $host);
    $ascii = $host === 'bücher.test' ? 'xn--bcher-kva.test' : 'api.test';
    [$entry] = received('a', 1);
    assert_same(["$ascii:$port", '127.0.0.1'], [header_of($entry, 'Host'), address_of($entry)], $host);
}
assert_same('x', $known->get(at('localhost', 'a', [['body' => 'x']]))->body, 'a host that is not named');

// IPv6, over a listener that both families have on one port.
if (isset(server()['http6'])) {
    foreach (['::1', '[::1]', '0:0:0:0:0:0:0:1'] as $address) {
        $url = at('api.test', 'b', [['body' => 'six']]);
        assert_same('six', $client->with(resolve: ['api.test' => $address])->get($url)->body, $address);
        [$entry] = received('b', 1);
        assert_same(["api.test:$port", '[::1]'], [header_of($entry, 'Host'), address_of($entry)], $address);
    }
}

// TLS asks for the host's name, and its certificate must be for that.
$addresses = ['127.0.0.1' => '127.0.0.1'] + (isset(server()['http6']) ? ['::1' => '[::1]'] : []);
foreach (['https' => 'HTTP/1.1', 'h2' => 'HTTP/2'] as $on => $protocol) {
    foreach ($addresses as $address => $shown) {
        $seen = $client->with(resolve: ['localhost' => $address])->get(at('LocalHost', 'c', [['action' => 'echo']], $on))->json();
        assert_same(['localhost', $protocol, $shown], [$seen['tls']['sni'], $seen['protocol'], address_of($seen)], "$on, $address");
    }
    assert_same('tls', thrown_by(static fn() => $known->get(at('wrong.invalid', 'c', [[]], $on)), NetworkException::class)?->kind, "$on, another's certificate");
}

// A redirect goes by it, too.
$there = at('api.test', 'd', [['body' => 'there']]);
assert_same('there', $known->get(script('e', [['action' => 'redirect', 'location' => $there]]))->body, 'redirect');

// It tells connections apart, and its order and spelling do not.
$url = at($nowhere, 'f', [[]]);
$maps = [
    [$nowhere => '127.0.0.1'],
    [$nowhere => '127.0.0.1', 'b.test' => '127.0.0.2'],
    ['B.test' => '127.0.0.2', strtoupper($nowhere) => '127.0.0.1'],
    [$nowhere => '127.0.0.1', 'b.test' => '127.0.0.3'],
];
foreach ([...$maps, ...$maps] as $map) {
    $client->with(resolve: $map)->get($url);
}
$connections = array_column(received('f', 8), 'connection');
assert_same(3, count(array_unique($connections)), 'connections');
assert_same(array_slice($connections, 0, 4), array_slice($connections, 4), 'each uses its own again');
assert_same($connections[1], $connections[2], 'the same in another order');
// Where nothing was known, a connection that another client has made is not used either.
assert_same('dns', thrown_by(static fn() => $client->get($url), NetworkException::class)?->kind, 'none of its own');
assert_same('dns', thrown_by(static fn() => $client->with(resolve: $maps[0])->with(resolve: [])->get($url), NetworkException::class)?->kind, 'taken back');

// A proxy is found by DNS.
$proxy = str_replace('127.0.0.1', 'LocalHost', server('proxy'));
$proxied = $client->with(proxy: $proxy, connectTimeout: 5.0, resolve: ['localhost' => '127.0.0.2']);
assert_same('x', $proxied->get(script('g', [['body' => 'x']]))->body, 'a proxy of that name');

$fake = new FakeClient([new Response(), new Response()], resolve: ['api.test' => '::1']);
$fake->get('https://api.test/');
$fake->with(resolve: [])->get('https://api.test/');
assert_same('https://api.test/', $fake->requests()[0]->uri, 'FakeClient');
done();
?>
--EXPECT--
done
