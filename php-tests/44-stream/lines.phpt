--TEST--
lines(): split at LF, CRLF and CR, without the end, however the bytes come
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$client = new RetryClient();
$cases = [
    "one\ntwo\r\nthree\rfour" => ['one', 'two', 'three', 'four'],
    "one\n" => ['one'], 'one' => ['one'], "\n" => [''], "\r\n" => [''], "\r" => [''], '' => [],
    "\n\n" => ['', ''], "\r\r" => ['', ''], "\r\n\r\n" => ['', ''], "\n\r" => ['', ''], "a\n\n\nb" => ['a', '', '', 'b'], "a\r\r\nb" => ['a', '', 'b'], "a\n\r\nb" => ['a', '', 'b'],
    "\u{feff}bom\n" => ["\u{feff}bom"], "h\u{e9}\u{1f600}\n\u{2028}x\n\u{85}y\x0bz" => ["h\u{e9}\u{1f600}", "\u{2028}x", "\u{85}y\x0bz"],
    "{\"a\":1}\n{\"b\":2}\n" => ['{"a":1}', '{"b":2}'], "nul\0nul\nend" => ["nul\0nul", 'end'],
];
foreach ($cases as $body => $lines) {
    $body = (string) $body;
    foreach ([1, 2, 3, 1000] as $size) {
        $stream = $client->stream('GET', script('a', [['body' => $body, 'chunked' => true, 'chunk_size' => $size]]));
        assert_same($lines, iterator_to_array($stream->lines()), json_encode($body) . " by $size");
        assert_same(strlen($body), $stream->received(), json_encode($body) . ' received');
    }
}
$stream = $client->stream('GET', script('b', [['body_base64' => base64_encode("\xff\xfe\n\x80")]]));
assert_same(["\xff\xfe", "\x80"], iterator_to_array($stream->lines()), 'bytes that are no UTF-8');

// A line is there when its end is, also when that is a CR after which nothing comes yet.
$begin = hrtime(true);
$times = [];
foreach ($client->stream('GET', script('c', [chunks(["one\r", "\ntwo\r", 'three', "\n"], 300)]))->lines() as $key => $line) {
    $times["$key $line"] = (hrtime(true) - $begin) / 1e9;
}
assert_same(['0 one', '1 two', '2 three'], array_keys($times));
assert_between(0.0, 0.28, $times['0 one'], 'the first');
assert_between(0.3, 0.58, $times['1 two'], 'the second');
assert_between(0.9, 1.3, $times['2 three'], 'the third');

// Long lines, up to 16 MiB.
$long = 16 * 1024 * 1024;
$lengths = array_map(strlen(...), iterator_to_array($client->stream('GET', script('d', [['body_repeat' => [str_repeat('x', 1023) . "\n", 2000]]]))->lines()));
assert_same(array_fill(0, 2000, 1023), $lengths, 'many');
assert_same([$long], array_map(strlen(...), iterator_to_array($client->stream('GET', script('e', [['body_repeat' => ['x', $long]]]))->lines())), 'a line of 16 MiB');
done();
?>
--EXPECT--
done
