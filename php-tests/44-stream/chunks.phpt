--TEST--
stream(): returns with the first body byte, and iterating gives the chunks as they arrive
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{StreamedResponse, StreamIterator};

$client = new RetryClient(verify: server('ca'));
foreach (['http' => '1.1', 'h2' => '2'] as $on => $protocol) {
    $client->get(script('connected', [[]], $on));
    $url = script('a', [chunks(['one', 'two', "\0\n", 'four'], 200, status: 203, headers: [['X-A', '1'], ['X-A', '2']], body_delay_ms: 200)], $on);
    $begin = hrtime(true);
    $stream = $client->stream('GET', $url, ['X-Sent' => 'yes'], query: ['q' => 1]);
    assert_between(0.2, 0.5, (hrtime(true) - $begin) / 1e9, "$on: stream() returns");
    assert_same([StreamedResponse::class, 203, $protocol, ['1', '2'], '1, 2', true, "$url?q=1", 1, 0.0, null], [
        get_debug_type($stream), $stream->status, $stream->protocol, $stream->headers['x-a'], $stream->header('X-a'), $stream->ok(), $stream->uri, count($stream->attempts), $stream->waited, $stream->retryAfter,
    ], $on);
    assert_between(0.2, 0.5, $stream->elapsed, "$on: elapsed");
    $times = $got = [];
    foreach ($stream as $key => $chunk) {
        $times[] = (hrtime(true) - $begin) / 1e9;
        $got[$key] = $chunk;
        assert_true($stream->received() >= strlen(implode('', $got)), "$on: received() after chunk $key");
    }
    assert_same([0 => 'one', 1 => 'two', 2 => "\0\n", 3 => 'four'], $got, "$on: chunks");
    foreach ($times as $i => $time) {
        assert_between(0.2 * ($i + 1), 0.2 * ($i + 1) + 0.3, $time, "$on: chunk $i");
    }
    $entry = received('a', 1)[0];
    assert_same(['yes', 'q=1', 1], [header_of($entry, 'X-Sent'), explode('?', $entry['target'])[1] ?? null, count(received('a'))], "$on: the request");
    assert_same(12, $stream->received(), "$on: received() at the end");

    // Read to the end, its connection serves the next.
    $client->get(script('next', [[]], $on));
    assert_same(received('a')[0]['connection'], received('next')[0]['connection'], "$on: the connection is kept");
}

// Answers without a body: it returns at the end, and there are no chunks.
foreach (['an empty body' => [], 'a 204' => ['status' => 204], 'no chunks' => ['chunks' => [], 'chunked' => true]] as $what => $step) {
    $stream = $client->stream('GET', script('b', [$step]));
    assert_same([$step['status'] ?? 200, [], 0], [$stream->status, iterator_to_array($stream), $stream->received()], $what);
}
assert_same([], iterator_to_array($client->stream('HEAD', script('c', [['body' => 'x']]))), 'HEAD');

// Whole, whatever its size and coding; maxBodySize does not bound it.
foreach (['a large one' => [], 'gzip' => ['encoding' => 'gzip'], 'gzip in pieces' => ['encoding' => 'gzip', 'drip' => ['bytes' => 300, 'every_ms' => 10]], 'br' => ['encoding' => 'br'], 'to the end of the connection' => ['content_length' => false]] as $what => $more) {
    $stream = $client->with(maxBodySize: 1000)->stream('GET', script('d', [['body_repeat' => ["0123456789\n", 100_000], ...$more]]));
    $hash = hash_init('sha256');
    foreach ($stream as $chunk) {
        assert_true($chunk !== '', "$what: no empty chunk");
        hash_update($hash, $chunk);
    }
    assert_same([hash('sha256', str_repeat("0123456789\n", 100_000)), 1_100_000], [hash_final($hash), $stream->received()], $what);
    assert_same(null, $stream->header('content-encoding'), "$what: decoded");
}
// Redirects are followed.
$to = script('to', [['body' => 'there']]);
assert_same([$to, ['there']], [($stream = $client->stream('GET', script('from', [['action' => 'redirect', 'location' => $to]])))->uri, iterator_to_array($stream)]);
// Any body.
$stream = $client->stream('POST', script('e', [['action' => 'echo']]), json: ['stream' => true], limitKey: 'k', cost: null);
assert_same('{"stream":true}', base64_decode(json_decode(implode('', iterator_to_array($stream)), true)['body_base64']));
done();
?>
--EXPECT--
done
