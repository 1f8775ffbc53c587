--TEST--
Bodies, headers and keys of any bytes survive the journal
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$file = folder() . '/j';
$bodies = [
    'empty' => '', 'text' => "line\nline\r\n\ttab \"quoted\" \\ /", 'utf-8' => "h\u{e9} \u{1f600} \u{2028} \u{0}", 'bytes' => "\xff\xfe\0\x80", 'half a character' => "\xe2\x82",
    'base64-like' => 'aGk=', 'json' => '{"key":"x","body":null}', 'large' => str_repeat("0123456789\n", 100_000), 'large bytes' => random_bytes(300_000),
];
$keys = array_combine(array_keys($bodies), ["plain", "with\nnewline", "\u{1f600}", "bytes \xff\0", '', '"', 'null', '5', ' 5']);
$answer = static fn(Request $request) => new Response(headers: ['X-Bytes' => "a\xffb", 'X-Two' => ['1', '2']], body: $bodies[urldecode(basename($request->uri))]);
$input = static function () use ($bodies, $keys) {
    foreach ($bodies as $name => $body) {
        yield $keys[$name] => new Request('GET', 'http://a.test/' . urlencode($name));
    }
};
$run = static function ($client) use ($input, $file, $keys, $bodies): void {
    $names = array_flip($keys);
    $count = 0;
    foreach ($client->sendAll($input(), journal: $file) as $key => $response) {
        $count++;
        $name = $names[$key] ?? fail('another key: ' . show($key));
        assert_same(md5($bodies[$name]), md5($response->body), $name);
        assert_same(["a\xffb", ['1', '2']], [$response->header('x-bytes'), $response->headers['x-two']], "$name: headers");
        assert_same(true, is_string($key), "$name: the key");
    }
    assert_same(count($bodies), $count, 'results');
};
$run($client = new FakeClient($answer));
assert_same(count($bodies), count($client->requests()), 'the first run');
$run($client = new FakeClient([]));
assert_same([], $client->requests(), 'the second run');

// int 1 and string "1" are different keys.
$file = folder() . '/keys';
$both = static function () {
    yield 1 => new Request('GET', 'http://a.test/int');
    yield '1' => new Request('GET', 'http://a.test/string');
    yield PHP_INT_MIN => new Request('GET', 'http://a.test/least');
    yield -0 => new Request('GET', 'http://a.test/zero');
};
$answer = static fn(Request $request) => new Response(body: basename($request->uri));
foreach ([new FakeClient($answer), new FakeClient([])] as $run => $client) {
    $got = [];
    foreach ($client->sendAll($both(), journal: $file) as $key => $response) {
        $got[] = [$key, $response->body];
    }
    assert_same([[1, 'int'], ['1', 'string'], [PHP_INT_MIN, 'least'], [0, 'zero']], $got, "run $run");
}
done();
?>
--EXPECT--
done
