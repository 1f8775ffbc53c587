--TEST--
sendAll(): results with their keys as they finish
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{Request, Response, Responses};

$client = new RetryClient();
$url = static fn(string $name, int $delay) => script($name, [['body' => $name, 'delay_ms' => $delay]]);
$requests = ['a' => new Request('GET', $url('a', 500)), 'b' => new Request('POST', $url('b', 100), json: ['k' => 1]), 7 => new Request('GET', $url('c', 300))];
$responses = $client->sendAll($requests);
assert_same([Responses::class, true], [get_debug_type($responses), $responses instanceof Iterator]);
$got = [];
$seconds = seconds(static function () use ($responses, &$got) {
    foreach ($responses as $key => $response) {
        assert_same(Response::class, get_debug_type($response));
        $got[] = [$key, $response->body];
    }
});
assert_same([['b', 'b'], [7, 'c'], ['a', 'a']], $got);
assert_between(0.5, 1.0, $seconds, 'side by side');
assert_same('{"k":1}', body_of(received('b')[0]), 'the body');
assert_same([1, 1, 1], [count(received('a')), count(received('b')), count(received('c'))], 'requests');

// All sorts of iterables; the same Request twice is sent twice.
$same = new Request('GET', script('same', [['body' => 'same']]));
$iterables = [
    'array' => static fn() => [$same, $same], 'generator' => static fn() => (static function () use ($same) { yield $same; yield $same; })(),
    'iterator' => static fn() => new ArrayIterator([$same, $same]), 'aggregate' => static fn() => new ArrayObject([$same, $same]),
    'fixed array' => static fn() => SplFixedArray::fromArray([$same, $same]),
];
foreach ($iterables as $what => $make) {
    $results = iterator_to_array($client->sendAll($make()));
    ksort($results);
    assert_same(['same', 'same'], array_map(static fn($response) => $response->body, $results), $what);
}
assert_same(10, count(received('same')), 'requests');
assert_same([], iterator_to_array($client->sendAll([])), 'none');
assert_same([], iterator_to_array($client->sendAll(new EmptyIterator())), 'none in an iterator');
// Results are answers of all kinds.
assert_same([404], array_map(static fn($response) => $response->status, iterator_to_array($client->sendAll([new Request('GET', server('http') . '/status/404')]))));
done();
?>
--EXPECT--
done
