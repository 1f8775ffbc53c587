--TEST--
sendAll() takes from the input only what it needs, and nothing before the first step of the iterator
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$pulled = 0;
$input = static function (int $count, string $url) use (&$pulled) {
    for ($i = 0; $i < $count; $i++) {
        $pulled++;
        yield $i => new Request('GET', $url);
    }
};
$client = new RetryClient();
$url = script('a', [['body' => 'x']]);

$responses = $client->sendAll($input(1_000_000, $url), concurrency: 4);
usleep(50_000);
assert_same(0, $pulled, 'before the first step');
unset($responses);
assert_same(0, $pulled, 'dropped unused');

foreach ([1, 4, 16] as $concurrency) {
    $pulled = $yielded = $ahead = 0;
    foreach ($client->sendAll($input(1_000_000, $url), $concurrency) as $response) {
        $yielded++;
        // In flight, waiting, and read ahead: each at most concurrency.
        $ahead = max($ahead, $pulled - $yielded);
        if ($yielded === 100) {
            break;
        }
    }
    assert_between(0, 3 * $concurrency + 1, $ahead, "concurrency $concurrency: ahead");
}

// A loop that takes its time does not make it read further and further.
$pulled = $yielded = 0;
foreach ($client->sendAll($input(1_000_000, $url), 3) as $response) {
    usleep(20_000);
    if (++$yielded === 20) {
        break;
    }
}
assert_between(20, 20 + 10, $pulled, 'a slow loop');

// However many wait: those that wait are at most as many as concurrency, and those in flight.
$pulled = 0;
$limited = static function () use (&$pulled) {
    for ($i = 0; $i < 1000; $i++) {
        $pulled++;
        yield apart(script("w$i", [['status' => 503], []]));
    }
};
foreach ((new RetryClient(baseDelay: 0.5, jitter: 0.0))->sendAll($limited(), 3) as $response) {
    break;
}
assert_between(3, 10, $pulled, 'while all wait');

// The input is run to its end, once.
$log = [];
$input = (static function () use (&$log, $url) {
    try {
        foreach (['a', 'b'] as $key) {
            $log[] = "make $key";
            yield $key => new Request('GET', $url);
        }
        $log[] = 'end';
    } finally {
        $log[] = 'finally';
    }
})();
foreach ($client->sendAll($input, 1) as $key => $response) {
    $log[] = "got $key";
}
assert_same(['make a', 'make b', 'end', 'finally'], array_values(array_diff($log, ['got a', 'got b'])));
assert_same(['got a', 'got b'], array_values(array_intersect($log, ['got a', 'got b'])));
assert_true(array_search('make a', $log) < array_search('got a', $log) && array_search('make b', $log) < array_search('got b', $log), 'made before got');
done();
?>
--EXPECT--
done
