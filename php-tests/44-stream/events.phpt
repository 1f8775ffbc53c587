--TEST--
events(): the rules of the WHATWG's parser, however the bytes come
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Event;

$client = new RetryClient();
$message = static fn(string $data, string $id = '', ?float $retry = null) => ['message', $data, $id, $retry];
$cases = [
    'one' => ["data: hello\n\n", [$message('hello')]],
    'three' => ["data: 1\n\ndata: 2\n\ndata: 3\n\n", [$message('1'), $message('2'), $message('3')]],
    'CRLF' => ["data: 1\r\n\r\ndata: 2\r\n\r\n", [$message('1'), $message('2')]],
    'CR' => ["data: 1\r\rdata: 2\r\r", [$message('1'), $message('2')]],
    'all ends mixed' => ["data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\rdata: e\r\n\n", [$message("a\nb\nc"), $message('d'), $message('e')]],
    'several lines' => ["data: YHOO\ndata: +2\ndata: 10\n\n", [$message("YHOO\n+2\n10")]],
    'one space is taken off' => ["data:x\n\ndata: x\n\ndata:  x\n\ndata:\tx\n\n", [$message('x'), $message('x'), $message(' x'), $message("\tx")]],
    'a name' => ["event: add\ndata: 1\n\ndata: 2\n\n", [['add', '1', '', null], $message('2')]],
    'a name twice, an empty one' => ["event: a\nevent: b\ndata: 1\n\nevent:\ndata: 2\n\n", [['b', '1', '', null], $message('2')]],
    'an error is data' => ["event: error\ndata: {\"type\":\"overloaded_error\"}\n\n", [['error', '{"type":"overloaded_error"}', '', null]]],
    'unknown types pass' => ["event: content_block_delta\ndata: {}\n\nevent: \u{e9}\ndata: x\n\n", [['content_block_delta', '{}', '', null], ["\u{e9}", 'x', '', null]]],
    'comments' => [": hi\n\n:\n:data: x\ndata: 1\n: in between\ndata: 2\n\n: end\n\n", [$message("1\n2")]],
    'no data' => ["event: a\n\nid: 1\n\nretry: 5\n\n: x\n\n\n\n\ndata: 1\n\n", [['message', '1', '1', 0.005]]],
    'empty data' => ["data\n\ndata\ndata\n\ndata:", [$message(''), $message("\n")]],
    'an id stays' => ["id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\nid\ndata: d\n\ndata: e\n\n", [$message('a', '1'), $message('b', '1'), $message('c', '2'), $message('d'), $message('e')]],
    'an id with NUL' => ["id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n", [$message('a', '1'), $message('b', '1')]],
    'an id of any text' => ["id: \u{1f600} x\ndata: a\n\n", [$message('a', "\u{1f600} x")]],
    'retry' => ["retry: 1500\ndata: a\n\ndata: b\n\n", [$message('a', '', 1.5), $message('b')]],
    'retry that is no number' => ["retry: 1.5\ndata: a\n\nretry: -1\ndata: b\n\nretry: 1e3\ndata: c\n\nretry:\ndata: d\n\nretry: 10 \ndata: e\n\nretry: \u{661}\ndata: f\n\n", array_map($message, ['a', 'b', 'c', 'd', 'e', 'f'])],
    'retry twice, zero' => ["retry: 1000\nretry: x\ndata: a\n\nretry: 0\ndata: b\n\nretry: 1000\nretry: 2000\ndata: c\n\n", [$message('a', '', 1.0), $message('b', '', 0.0), $message('c', '', 2.0)]],
    'unknown fields' => ["foo: bar\nDATA: x\n data: x\ndata : x\ndata: 1\ndatax: 2\nfoo\n\n", [$message('1')]],
    'a colon in the data' => ["data: a: b: c\ndata::\n\n", [$message("a: b: c\n:")]],
    'a BOM at the start' => ["\u{feff}data: 1\n\n", [$message('1')]],
    'a BOM elsewhere' => ["data: 1\n\n\u{feff}data: 2\n\ndata: \u{feff}3\n\n", [$message('1'), $message("\u{feff}3")]],
    'two BOMs' => ["\u{feff}\u{feff}data: 1\n\ndata: 2\n\n", [$message('2')]],
    'only a BOM' => ["\u{feff}", []], 'half a BOM' => ["\xef\xbb", []],
    'an incomplete last one' => ["data: 1\n\ndata: 2\n", [$message('1')]],
    'an unterminated last line' => ["data: 1\n\ndata: 2", [$message('1')]],
    'text of several bytes' => ["data: h\u{e9} \u{4e16}\u{754c} \u{1f600}\n\n", [$message("h\u{e9} \u{4e16}\u{754c} \u{1f600}")]],
    'other line ends are none' => ["data: a\u{85}b\u{2028}c\x0b\x0cd\n\n", [$message("a\u{85}b\u{2028}c\x0b\x0cd")]],
    'NUL in the data' => ["data: a\0b\n\n", [$message("a\0b")]],
    'OpenAI\'s end' => ["data: {\"x\":1}\n\ndata: [DONE]\n\n", [$message('{"x":1}'), $message('[DONE]')]],
    'nothing' => ['', []], 'blank lines' => ["\n\r\n\r\n\n", []],
    'JSON' => ['{"error":{"type":"invalid_request_error","message":"data: x"}}', []],
    'JSON of several lines' => ["{\n  \"error\": {\n    \"data\": \"x\"\n  }\n}\n\n", []],
    'HTML' => ["<html>\n<body>data: x</body>\n</html>\n\n", []],
];
$show = static fn(Event $event) => [$event->event, $event->data, $event->id, $event->retry];
foreach ($cases as $what => [$body, $expected]) {
    foreach ([1, 2, 3, 7, 100_000] as $size) {
        $step = ['body_base64' => base64_encode($body), 'chunked' => true, 'chunk_size' => $size, 'headers' => [['Content-Type', 'text/event-stream']]];
        $events = iterator_to_array($client->stream('GET', script('a', [$step]))->events());
        assert_same($expected, array_map($show, $events), "$what, by $size");
        assert_same(array_keys($expected), array_keys($events), "$what: keys");
    }
}
// The same over HTTP/2 and compressed; the Content-Type does not matter.
$text = implode('', array_map(static fn(int $i) => "id: $i\nevent: e$i\ndata: {\"i\":$i}\n\n", range(0, 499)));
$expected = array_map(static fn(int $i) => ["e$i", "{\"i\":$i}", "$i", null], range(0, 499));
foreach (['h2' => [], 'http' => ['encoding' => 'gzip'], 'http in pieces' => ['chunked' => true, 'chunk_size' => 5]] as $on => $more) {
    $stream = $client->with(verify: server('ca'))->stream('POST', script('b', [['body' => $text, 'headers' => [['Content-Type', 'application/json']], ...$more]], substr($on, 0, 4)));
    assert_same($expected, array_map($show, iterator_to_array($stream->events())), $on);
}
// An Event is a value.
$event = iterator_to_array($client->stream('GET', script('c', [['body' => "data: x\n\n"]]))->events())[0];
assert_throws(Error::class, 'Cannot modify readonly property RetryClient\Event::$data', static function () use ($event) { $event->data = 'y'; });
assert_same(['event' => 'message', 'data' => 'x', 'id' => '', 'retry' => null], get_object_vars($event));
done();
?>
--EXPECT--
done
