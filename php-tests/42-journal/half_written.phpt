--TEST--
A half-written last line is cut off, wherever it was cut
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$folder = folder();
$requests = ['a' => new Request('GET', 'http://a.test/a'), 'b' => new Request('POST', 'http://a.test/b', json: [1]), 3 => new Request('GET', 'http://a.test/c')];
$answer = static fn(Request $request) => new Response(headers: ['X' => 'y'], body: basename($request->uri) . "\n\u{e9}");
iterator_to_array((new FakeClient($answer))->sendAll($requests, journal: "$folder/whole"));
$whole = file_get_contents("$folder/whole");
assert_same(4, substr_count($whole, "\n"), 'lines');

// Everywhere around a line's end, and here and there between.
$lengths = range(0, strlen($whole), 17);
foreach (array_keys(str_split($whole), "\n", true) as $end) {
    array_push($lengths, $end - 1, $end, $end + 1, min($end + 2, strlen($whole)));
}
foreach (array_unique($lengths) as $length) {
    file_put_contents("$folder/cut", substr($whole, 0, $length));
    $client = new FakeClient($answer);
    try {
        $bodies = array_map(static fn($response) => $response->body, iterator_to_array($client->sendAll($requests, journal: "$folder/cut")));
    } catch (Throwable $thrown) {
        fail("$length bytes: " . $thrown::class . ': ' . $thrown->getMessage());
        break;
    }
    ksort($bodies);
    assert_same([3 => "c\n\u{e9}", 'a' => "a\n\u{e9}", 'b' => "b\n\u{e9}"], array_replace([3 => null, 'a' => null, 'b' => null], $bodies), "$length bytes: results");
    $lines = max(0, substr_count($whole, "\n", 0, $length) - 1);
    // A line that lacks its end only may count as whole.
    $least = ($whole[$length] ?? '') === "\n" ? max(0, $lines) + ($length > strpos($whole, "\n") ? 1 : 0) : $lines;
    assert_between(3 - $least, 3 - $lines, count($client->requests()), "$length bytes: sent");
    assert_same([], (function () use ($requests, $folder) {
        $client = new FakeClient([]);
        iterator_to_array($client->sendAll($requests, journal: "$folder/cut"));
        return $client->requests();
    })(), "$length bytes: all are there then");
}
done();
?>
--EXPECT--
done
