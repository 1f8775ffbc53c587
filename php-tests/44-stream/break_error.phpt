--TEST--
A break after the first byte: NetworkException after exactly what came, and nothing is sent again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\NetworkException;

/** What comes, and what is thrown then. */
function read_all(iterable $from, ?callable $map = null): array
{
    $got = [];
    try {
        foreach ($from as $key => $one) {
            assert_same(count($got), $key, 'key');
            $got[] = $map === null ? $one : $map($one);
        }
    } catch (Throwable $thrown) {
    }
    return [$got, $thrown ?? null];
}

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, verify: server('ca'), retryUnsafe: true);
$data = static fn($event) => $event->data;
$chunks = ["data: 1\n\n", "data: 2\n\nda", "ta: 3\n"];
$all = implode('', $chunks);
$breaks = [
    'closed' => ['http', chunks($chunks, 60, send_bytes: 1000, end: 'close')], 'a reset of the connection' => ['http', chunks($chunks, 60, send_bytes: 1000, end: 'reset')],
    'a bad chunk' => ['http', ['action' => 'raw', 'raw' => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" . dechex(strlen($all)) . "\r\n$all\r\nno number\r\n"]],
    'too short' => ['http', ['chunks' => $chunks, 'content_length' => 1000, 'drip' => ['every_ms' => 60]]],
    'a stream reset' => ['h2', ['action' => 'half', 'body' => "{$all}more", 'send_bytes' => strlen($all)]],
    'a reset of the connection, HTTP/2' => ['h2', ['action' => 'half', 'body' => "{$all}more", 'send_bytes' => strlen($all), 'end' => 'reset']],
];
foreach ($breaks as $what => [$on, $step]) {
    $url = script('a', [$step], $on);
    $kind = $what === 'a bad chunk' ? 'protocol' : 'reset';
    // A reset may overtake the last bytes: what came is what received() says, and no more.
    $came = static function ($stream) use ($all, $what): string {
        str_contains($what, 'connection') || assert_same(strlen($all), $stream->received(), "$what: received");
        return substr($all, 0, $stream->received());
    };
    [$got, $thrown] = read_all(($stream = $client->stream('GET', $url))->events(), $data);
    preg_match_all('/data: (\d)\n\n/', $came($stream), $expected);
    assert_same([$expected[1], NetworkException::class, $kind], [$got, get_debug_type($thrown), $thrown->kind ?? null], "$what: events");
    assert_same([1, 200], [count($thrown->attempts), $stream->status], "$what: attempts");
    [$got, $thrown] = read_all(($stream = $client->stream('GET', $url))->lines());
    assert_same([array_slice(explode("\n", $came($stream)), 0, -1), NetworkException::class], [$got, get_debug_type($thrown)], "$what: lines");
    [$got, $thrown] = read_all($stream = $client->stream('GET', $url));
    assert_same([$came($stream), NetworkException::class], [implode('', $got), get_debug_type($thrown)], "$what: chunks");
    assert_same(3, count(received('a')), "$what: nothing was sent again");
}
// A last line without its end is no line.
[$got, $thrown] = read_all($client->stream('GET', script('b', [chunks(["one\ntw", 'o'], 60, send_bytes: 1000, end: 'close')]))->lines());
assert_same([['one'], 'reset'], [$got, $thrown->kind ?? null]);

// It is over then.
$iterator = $client->stream('GET', script('c', [chunks(['x'], 0, send_bytes: 1000, end: 'close')]))->getIterator();
thrown_by(static function () use ($iterator) { foreach ($iterator as $chunk) {} }, NetworkException::class);
assert_same([false, null], [$iterator->valid(), $iterator->current()], 'after it');
assert_same(1, count(received('c')));

// A damaged compressed body.
$thrown = thrown_by(static fn() => iterator_to_array($client->stream('GET', script('d', [['body_base64' => base64_encode(substr(gzencode(random_bytes(100_000)), 0, 60_000)), 'headers' => [['Content-Encoding', 'gzip']]]]))), NetworkException::class);
assert_same('protocol', $thrown?->kind, 'a compressed body that is cut');
done();
?>
--EXPECT--
done
