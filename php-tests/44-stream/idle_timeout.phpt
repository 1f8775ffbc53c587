--TEST--
idleTimeout: from the first byte on, and only while PHP waits
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\NetworkException;

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, idleTimeout: 0.4);
// Bytes come in time, over a longer time than that.
assert_same('abcdef', implode('', iterator_to_array($client->stream('GET', script('a', [chunks(str_split('abcdef'), 200)])))));
// Silence before the first byte is another matter.
assert_same('late', implode('', iterator_to_array($client->stream('GET', script('b', [['body' => 'late', 'delay_ms' => 700]])))));
assert_same('late', implode('', iterator_to_array($client->stream('GET', script('c', [['body' => 'late', 'body_delay_ms' => 700]])))));

$stream = $client->stream('GET', script('d', [['body' => "one\ntwo\nthree\n", 'send_bytes' => 10, 'end' => 'stall']]));
$got = [];
$begin = hrtime(true);
$thrown = thrown_by(static function () use ($stream, &$got) {
    foreach ($stream->lines() as $line) {
        $got[] = $line;
    }
}, NetworkException::class);
assert_between(0.35, 0.8, (hrtime(true) - $begin) / 1e9, 'silence');
assert_same([['one', 'two'], 'timeout', 10, 1], [$got, $thrown?->kind, $stream->received(), count(received('d'))]);
abandoned('d', 1);

// PHP's own time between two reads does not count.
$got = '';
foreach ($client->stream('GET', script('e', [chunks(['a', 'b', 'c'], 100)])) as $chunk) {
    $got .= $chunk;
    usleep(600_000);
}
assert_same('abc', $got, 'a slow loop');
done();
?>
--EXPECT--
done
