--TEST--
With a journal the input is consumed lazily too
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$file = folder() . '/j';
$pulled = 0;
$input = static function (int $count, int $from = 0) use (&$pulled) {
    for ($i = $from; $i < $count; $i++) {
        $pulled++;
        yield $i => new Request('GET', server('http') . "/status/200?n=$i");
    }
};
$client = new RetryClient();
// Every second one is journaled.
$half = static function () use ($input) {
    foreach ($input(200) as $key => $request) {
        if ($key % 2 === 0) {
            yield $key => $request;
        }
    }
};
assert_same(100, count(iterator_to_array($client->sendAll($half(), 10, journal: $file))));

// It holds back at most `concurrency` missing ones while it looks for journaled ones.
$pulled = 0;
foreach ($client->sendAll($input(200), 5, journal: $file) as $key => $response) {
    assert_same(0, $key, 'a journaled one comes first');
    break;
}
assert_between(1, 30, $pulled, 'taken for the first');
$pulled = $yielded = $ahead = 0;
$keys = [];
foreach ($client->sendAll($input(200), 5, journal: $file) as $key => $response) {
    $keys[] = $key;
    $ahead = max($ahead, $pulled - ++$yielded);
}
sort($keys);
assert_same(range(0, 199), $keys, 'all of them');
// Held back, in flight, waiting, read ahead: each at most 5.
assert_between(0, 21, $ahead, 'ahead');

// In an array the journaled ones all come first, wherever they are.
$file = folder() . '/j';
$requests = iterator_to_array($input(60));
iterator_to_array($client->sendAll(array_slice($requests, 40, 20, true), 5, journal: $file));
$keys = array_keys(iterator_to_array($client->sendAll($requests, 5, journal: $file)));
$first = array_slice($keys, 0, 20);
sort($first);
assert_same(range(40, 59), $first, 'an array');
done();
?>
--EXPECT--
done
