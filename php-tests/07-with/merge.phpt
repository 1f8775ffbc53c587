--TEST--
with(): a copy with other options; the rest, and the client itself, stay
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$fake = new FakeClient(
    static fn() => new Response(status: 503),
    baseUri: 'http://a.test/v1', headers: ['X-A' => '1', 'X-B' => '2'], maxAttempts: 2, baseDelay: 3, throwOnGiveUp: false, userAgent: 'me',
);
/** Sends, their address and headers, and the wait of a call. */
$behaviour = static function (FakeClient $client) use ($fake): array {
    $before = count($fake->requests());
    $response = $client->get('x');
    $sent = array_slice($fake->requests(), $before);
    return [count($sent), $sent[0]->uri, $sent[0]->headers['x-a'] ?? null, $sent[0]->headers['x-b'] ?? null, $sent[0]->headers['user-agent'], $response->waited];
};
$base = [2, 'http://a.test/v1/x', ['1'], ['2'], ['me'], 3.0];
assert_same($base, $behaviour($fake));
assert_same($base, $behaviour($fake->with()), 'nothing changed');
assert_same(array_replace($base, [0 => 3, 5 => 9.0]), $behaviour($fake->with(maxAttempts: 3)), 'one option');
assert_same(array_replace($base, [1 => 'http://b.test/x', 5 => 1.0]), $behaviour($fake->with(baseUri: 'http://b.test', baseDelay: 1)), 'two options');
// Options are replaced, not mixed.
assert_same(array_replace($base, [2 => ['9'], 3 => null]), $behaviour($fake->with(headers: ['x-a' => '9'])), 'headers');
assert_same(array_replace($base, [0 => 1, 5 => 0.0]), $behaviour($fake->with(retryOn: [500])), 'retryOn');
// A copy of a copy.
$copy = $fake->with(maxAttempts: 3)->with(baseDelay: 0)->with(...['headers' => []]);
assert_same([3, 'http://a.test/v1/x', null, null, ['me'], 0.0], $behaviour($copy), 'chain');
assert_same([3, 'http://a.test/v1/x', null, null, ['me'], 0.0], $behaviour($copy->with(maxAttempts: '3')), 'weak types');
assert_same($base, $behaviour($fake), 'the client is as it was');

$client = new RetryClient();
assert_true($client->with() !== $client && $client->with() != $client, 'another object');
assert_same(RetryClient::class, $client->with()::class);
done();
?>
--EXPECT--
done
