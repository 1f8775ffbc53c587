--TEST--
Pending: removedHeaders() shows what decoding took from the answer's headers
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

const TEXT = 'a text that is long enough to be coded';

/** @return array{list<string>, array<string, list<string>>, string} names of headers(), removedHeaders(), the body */
function seen(string $url, string $method = 'GET', ?RetryClient $client = null, mixed $sink = null): array
{
    $pending = ($client ?? new RetryClient(baseDelay: 0.0, jitter: 0.0))->start(apart($url, $method, sink: $sink));
    try {
        $body = $pending->wait()->body;
    } catch (RetryClient\HttpException $e) {
        $body = $e::class;
    }
    return [array_keys($pending->headers()), $pending->removedHeaders(), $body];
}

foreach (['gzip', 'br', 'zstd', 'deflate'] as $coding) {
    $step = ['body' => TEXT, 'encoding' => $coding];
    [$names, $plain, $coded] = seen(script('a', [$step]), client: new RetryClient(decode: false));
    assert_same([['content-encoding', 'content-length'], []], [$names, $plain], "$coding, left as it is");
    $removed = ['content-encoding' => [$coding], 'content-length' => [(string) strlen($coded)]];
    assert_same([[], $removed, TEXT], seen(script('a', [$step])), $coding);
    assert_same([[], $removed, TEXT], seen(script('a', [$step], on: 'h2'), client: new RetryClient(verify: server('ca'))), "$coding, HTTP/2");
    assert_same(
        [['transfer-encoding'], ['content-encoding' => [$coding]], TEXT],
        seen(script('a', [$step + ['chunked' => true]])),
        "$coding, of no length that was told",
    );
}

// As the server wrote it.
$step = ['body' => TEXT, 'encoding' => 'gzip', 'encoding_header' => false, 'headers' => [['Content-Encoding', 'X-GZip']]];
assert_same(['X-GZip'], seen(script('b', [$step]))[1]['content-encoding'], 'another name for it');
assert_same(TEXT, seen(script('b', [$step]))[2], 'another name for it');

// Nothing is undone.
assert_same([['content-length'], [], TEXT], seen(script('c', [['body' => TEXT]])), 'no coding');
$step = ['body' => TEXT, 'headers' => [['Content-Encoding', 'identity']]];
assert_same([['content-encoding', 'content-length'], [], TEXT], seen(script('c', [$step])), 'identity');
$step = ['body' => TEXT, 'encoding' => 'gzip'];
assert_same([['content-encoding', 'content-length'], [], ''], seen(script('c', [$step]), 'HEAD'), 'HEAD');

// Once headers() shows the answer, and only of that: not before, not of one that is repeated, nor after a body that broke.
$url = script('d', [
    ['status' => 503] + $step,
    ['truncate' => -12] + $step,
    ['hold' => script_name('d'), 'body_delay_ms' => 0] + $step,
]);
$pending = (new RetryClient(baseDelay: 0.0, jitter: 0.0))->start(apart($url));
poll_until(static fn() => count(received('d')) === 3, $pending);
poll_until(static fn() => $pending->status() === null, $pending);
assert_same([null, [], []], [$pending->status(), $pending->headers(), $pending->removedHeaders()], 'before');
release(script_name('d'));
poll_until(static fn() => $pending->status() !== null, $pending);
assert_same(['gzip'], $pending->removedHeaders()['content-encoding'] ?? null, 'with the headers');
assert_same(TEXT, $pending->wait()->body);

// Of the last answer of a call that gives up, of an error, of what a sink took.
$lenient = new RetryClient(maxAttempts: 1, throwOnGiveUp: false);
assert_same(['gzip'], seen(script('e', [['status' => 503] + $step]), client: $lenient)[1]['content-encoding'] ?? null, 'given up');
$strict = new RetryClient(throwOnError: true);
assert_same(['gzip'], seen(script('e', [['status' => 404] + $step]), client: $strict)[1]['content-encoding'] ?? null, 'an error');
assert_same(['gzip'], seen(script('e', [$step]), sink: folder() . '/sink')[1]['content-encoding'] ?? null, 'a file');
assert_same(['gzip'], seen(script('e', [$step]), sink: fopen('php://memory', 'w+'))[1]['content-encoding'] ?? null, 'a stream');
done();
?>
--EXPECT--
done
