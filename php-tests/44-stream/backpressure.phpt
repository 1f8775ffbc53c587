--TEST--
A slow reader stops the server: neither memory nor what is sent grows
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$client = new RetryClient(verify: server('ca'), idleTimeout: 0.5);
$size = 32 * 1024 * 1024;
foreach (['http', 'h2'] as $on) {
    $url = script('a', [['body_repeat' => ['0123456789abcdef', $size / 16]]], $on);
    $client->get(server($on) . '/bytes/1000000');
    $before = resident();
    $stream = $client->stream('GET', $url);
    $read = 0;
    $hash = hash_init('crc32c');
    foreach ($stream as $number => $chunk) {
        $read += strlen($chunk);
        hash_update($hash, $chunk);
        assert_true(strlen($chunk) <= 1024 * 1024, "$on: a chunk of " . strlen($chunk) . ' bytes');
        if ($number < 3) {
            // Longer than idleTimeout, which does not count PHP's own time.
            usleep(700_000);
            assert_between(1, 16 * 1024 * 1024, received('a')[0]['sent'], "$on: sent while nobody read");
            assert_between(0, 16 * 1024 * 1024, max(0, resident() - $before), "$on: bytes resident");
            assert_between($read, 16 * 1024 * 1024, $stream->received(), "$on: received");
        }
    }
    assert_same([$size, $size], [$read, $stream->received()], "$on: all of it");
    $expected = hash_init('crc32c');
    for ($i = 0; $i < $size / 65536; $i++) {
        hash_update($expected, str_repeat('0123456789abcdef', 4096));
    }
    assert_same(hash_final($expected), hash_final($hash), "$on: the bytes");
    assert_between(0, 24 * 1024 * 1024, max(0, resident() - $before), "$on: bytes resident at the end");
}

// One that is not read holds up nothing else.
$slow = $client->stream('GET', script('b', [['body_repeat' => ['x', $size]]], 'h2'));
assert_between(0.0, 1.0, seconds(static fn() => $client->get(script('c', [['body_repeat' => ['y', 1_000_000]]], 'h2')), $response), 'another call on the same connection');
assert_same(1_000_000, strlen($response->body));
done();
?>
--EXPECT--
done
