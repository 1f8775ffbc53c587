--TEST--
FakeClient: redirects are followed, each hop is a send
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

function to(string $location, int $status = 302): Response
{
    return new Response(status: $status, headers: ['Location' => $location]);
}

$client = new FakeClient([to('/b', 307), to('//c.test/d', 303), new Response(body: 'x')], headers: ['Authorization' => 'Bearer x', 'Cookie' => 'a=b', 'X-Own' => 'y']);
$response = $client->post('http://a.test/a', json: ['k' => 1]);
assert_same(['x', 'http://c.test/d', 1], [$response->body, $response->uri, count($response->attempts)]);
[$first, $second, $third] = $client->requests();
assert_same([['POST', 'http://a.test/a'], ['POST', 'http://a.test/b'], ['GET', 'http://c.test/d']], array_map(static fn($sent) => [$sent->method, $sent->uri], $client->requests()));
assert_same([['k' => 1], ['k' => 1], null], [$first->json, $second->json, $third->json]);
assert_same([['Bearer x'], ['Bearer x'], null], [$first->headers['authorization'], $second->headers['authorization'], $third->headers['authorization'] ?? null]);
assert_same([null, null, ['y']], [$third->headers['cookie'] ?? null, $third->headers['content-type'] ?? null, $third->headers['x-own']]);

// A retry starts at the call's own address.
$client = new FakeClient([to('/b'), new Response(status: 503), to('/c'), new Response()]);
assert_same(['http://a.test/c', 2], [($response = $client->get('http://a.test/a'))->uri, count($response->attempts)]);
assert_same(['http://a.test/a', 'http://a.test/b', 'http://a.test/a', 'http://a.test/c'], array_column($client->requests(), 'uri'));

// Not followed.
assert_same(302, (new FakeClient([to('/b')], maxRedirects: 0))->get('http://a.test/')->status, 'maxRedirects: 0');
assert_same(302, (new FakeClient([new Response(status: 302)]))->get('http://a.test/')->status, 'no Location');
assert_same(304, (new FakeClient([to('/b', 304)]))->get('http://a.test/')->status, '304');
foreach ([['https://a.test/', 'http://a.test/'], ['http://a.test/', 'ftp://a.test/']] as [$from, $location]) {
    assert_same('redirect', thrown_by(static fn() => (new FakeClient([to($location)]))->get($from), RetryClient\NetworkException::class)->kind, $location);
}
done();
?>
--EXPECT--
done
