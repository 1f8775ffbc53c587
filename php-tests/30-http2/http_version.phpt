--TEST--
httpVersion: never HTTP/2, or HTTP/1.0 on the wire; $protocol is what the server answers
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$negotiating = new RetryClient(verify: server('ca'), httpVersion: null);
$clients = ['1.1' => $negotiating->with(httpVersion: '1.1'), '1.0' => $negotiating->with(httpVersion: '1.0')];

// Over TLS with a server that speaks HTTP/2 as well: it is not even offered.
$url = script('a', [['body' => 'x']], 'h2');
assert_same('2', $negotiating->get($url)->protocol, 'negotiated');
foreach ($clients as $version => $client) {
    $seen = $client->post(script('b', [['action' => 'echo']], 'h2'), body: 'body')->json();
    assert_same(["HTTP/$version", 'http/1.1', 'body'], [$seen['protocol'], $seen['tls']['alpn'], base64_decode($seen['body_base64'])], $version);
    // The connection that speaks HTTP/2 is another's.
    assert_same('1.1', $client->get($url)->protocol, "$version: answered in");
}
assert_same('2', $negotiating->get($url)->protocol, 'negotiated, afterwards');
assert_same('2', $clients['1.0']->with(httpVersion: null)->get($url)->protocol, 'taken back');
$protocols = array_map(static fn(array $entry) => $entry['protocol'], received('a', 5));
assert_same(['HTTP/2', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2', 'HTTP/2'], $protocols, 'requests');

// Without TLS, with bodies of all kinds, on each attempt and after a redirect.
$file = folder() . '/file';
file_put_contents($file, 'from a file');
foreach ($clients as $version => $client) {
    $client = $client->with(baseDelay: 0.0, jitter: 0.0);
    $url = script('c', [['status' => 503], ['action' => 'redirect', 'status' => 307, 'location' => server('http') . '/' . script_name('c')], ['body' => 'x']]);
    assert_same('x', $client->post($url, body: fopen($file, 'r'))->body, $version);
    foreach (received('c', 3) as $number => $entry) {
        assert_same(
            ["HTTP/$version", 'from a file', '11', null],
            [$entry['protocol'], body_of($entry), header_of($entry, 'Content-Length'), header_of($entry, 'Transfer-Encoding')],
            "$version, request $number",
        );
    }
    $client->post(script('d', [[]]), multipart: ['a' => ['contents' => fopen($file, 'r'), 'filename' => 'file'], 'b' => 'c']);
    [$entry] = received('d', 1);
    assert_same(["HTTP/$version", (string) strlen(body_of($entry))], [$entry['protocol'], header_of($entry, 'Content-Length')], "$version, multipart");
}

// The server closes after each answer to HTTP/1.0; those to HTTP/1.1 share a connection, which the next of HTTP/1.0 uses, too.
foreach ([['1.0', '1.0', '1.0'], ['1.1', '1.1', '1.0']] as $versions) {
    $url = script('e', [['body' => 'x']]);
    foreach ($versions as $version) {
        assert_same('x', $clients[$version]->get($url)->body, $version);
    }
    $connections = count(array_unique(array_column(received('e', 3), 'connection')));
    assert_same($versions[0] === '1.0' ? 3 : 1, $connections, implode(', ', $versions) . ': connections');
}

// What the server says it speaks, whatever it was asked in; a body of HTTP/1.0 ends with the connection.
foreach ($clients as $version => $client) {
    foreach (['1.0', '1.1'] as $answered) {
        $response = $client->get(script('f', [['version' => $answered, 'body' => 'to the end', 'content_length' => false]]));
        assert_same([$answered, 'to the end'], [$response->protocol, $response->body], "$version, answered in $answered");
    }
}

// Through a proxy, with and without a tunnel.
foreach (['http', 'h2'] as $on) {
    assert_same('x', $clients['1.0']->with(proxy: server('proxy'))->get(script('g', [['body' => 'x']], $on))->body, "proxy, $on");
}
assert_same('HTTP/1.0', received('g', 1)[0]['protocol'], 'in a tunnel');

$fake = new FakeClient([new Response(protocol: '2')], httpVersion: '1.0');
assert_same('2', $fake->get('https://api.test/')->protocol, 'FakeClient');
done();
?>
--EXPECT--
done
