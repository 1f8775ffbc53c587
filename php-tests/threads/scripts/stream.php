<?php
// A body that is read while it arrives, and one that is left half-way.
require __DIR__ . '/../../support.php';
require __DIR__ . '/../../flights.php';

$client = new RetryClient();
$lines = array_map(static fn($i) => "line $i of $thread", range(1, 200));
$url = script('a', [['body' => implode("\n", $lines) . "\n", 'chunked' => true, 'chunk_size' => 100]]);
assert_same($lines, iterator_to_array($client->stream('GET', $url)->lines()));

$read = [];
foreach ($client->stream('GET', script('b', [chunks(["a\n", "b\n", "c\n"], 20)]))->lines() as $line) {
    $read[] = $line;
    if ($line === 'b') {
        break;
    }
}
assert_same(['a', 'b'], $read);
done();
