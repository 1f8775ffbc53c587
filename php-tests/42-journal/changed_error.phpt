--TEST--
A journaled key with another content: ValueError that names it; credentials and random parts are no content
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$folder = folder();
$ok = static fn() => new FakeClient(static fn() => new Response(body: 'x'), baseUri: 'http://a.test/');
$base = ['method' => 'POST', 'uri' => 'http://a.test/path?q=1', 'headers' => ['X-A' => '1'], 'body' => 'text'];
$changes = [
    'method' => ['method' => 'PUT'], 'uri' => ['uri' => 'http://a.test/other?q=1'], 'query' => ['uri' => 'http://a.test/path?q=2'], 'more query' => ['query' => ['r' => 1]],
    'host' => ['uri' => 'http://b.test/path?q=1'], 'body' => ['body' => 'Text'], 'no body' => ['body' => null], 'header' => ['headers' => ['X-A' => '2']], 'another header' => ['headers' => ['X-A' => '1', 'X-B' => '']],
];
foreach ($changes as $what => $change) {
    $file = "$folder/" . md5($what);
    $requests = ['first' => new Request('GET', 'http://a.test/'), 'the key' => new Request(...$base)];
    iterator_to_array($ok()->sendAll($requests, journal: $file));
    $changed = ['first' => $requests['first'], 'new' => new Request('GET', 'http://a.test/new'), 'the key' => new Request(...$change + $base), 'last' => new Request('GET', 'http://a.test/')];
    $client = $ok();
    $responses = $client->sendAll($changed, journal: $file);
    $got = [];
    $thrown = thrown_by(static function () use ($responses, &$got) {
        foreach ($responses as $key => $response) {
            $got[] = $key;
        }
    }, ValueError::class);
    assert_contains('the key', (string) $thrown?->getMessage(), $what);
    assert_same(false, in_array('the key', $got, true), "$what: it is not yielded");
    unset($responses);
    // What was right is not lost by it.
    assert_same(count($got), count(iterator_to_array((new FakeClient([]))->sendAll(array_intersect_key($changed, array_flip($got)), journal: $file))), "$what: kept");
}

// These are the same request.
$same = [
    'credentials' => [
        ['headers' => ['Authorization' => 'Bearer one', 'Proxy-Authorization' => 'Basic one', 'Cookie' => 'a=1', 'X-Api-Key' => 'one', 'api-key' => 'one', 'X-Goog-Api-Key' => 'one']],
        ['headers' => ['Authorization' => 'Bearer two', 'Cookie' => 'a=2', 'X-Api-Key' => 'two']],
    ],
    'userinfo' => [['uri' => 'http://one:1@a.test/path?q=1'], ['uri' => 'http://a.test/path?q=1']],
    'an idempotency key' => [['headers' => ['Idempotency-Key' => 'one']], ['headers' => ['Idempotency-Key' => 'two']]],
    'a boundary' => [['body' => null, 'multipart' => ['f' => ['contents' => 'c', 'filename' => 'f']]], ['body' => null, 'multipart' => ['f' => ['contents' => 'c', 'filename' => 'f']]]],
    'spelling of names' => [['headers' => ['X-A' => '1']], ['headers' => ['x-a' => '1']]],
    'how json is given' => [['body' => null, 'json' => ['a' => 1]], ['body' => null, 'json' => (object) ['a' => 1]]],
    'a limit key, a cost' => [['limitKey' => 'one'], ['limitKey' => 'two', 'cost' => 1.0]],
    'a base URI' => [['uri' => 'path?q=1'], ['uri' => 'http://a.test/path?q=1']],
];
foreach ($same as $what => [$one, $other]) {
    $file = "$folder/" . md5($what);
    iterator_to_array($ok()->sendAll(['k' => new Request(...$one + $base)], journal: $file));
    $client = $ok();
    assert_same(['k'], array_keys(iterator_to_array($client->sendAll(['k' => new Request(...$other + $base)], journal: $file))), $what);
    assert_same([], $client->requests(), "$what: sent");
}
// A body in a multipart does count.
$file = "$folder/multipart";
iterator_to_array($ok()->sendAll(['k' => new Request('POST', 'http://a.test/', multipart: ['f' => 'one'])], journal: $file));
thrown_by(static fn() => iterator_to_array($ok()->sendAll(['k' => new Request('POST', 'http://a.test/', multipart: ['f' => 'two'])], journal: $file)), ValueError::class);
done();
?>
--EXPECT--
done
