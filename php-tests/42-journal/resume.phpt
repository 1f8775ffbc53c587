--TEST--
A journal: a second run yields what is there and sends only what is missing
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request};

$file = folder() . '/batch.jsonl';
$step = static fn(string $name, int $delay = 0) => ['status' => 203, 'reason' => 'Fine', 'headers' => [['X-A', '1'], ['X-A', '2'], ['Retry-After', '7'], ['Set-Cookie', 'secret=1']], 'body' => "body of $name", 'delay_ms' => $delay];
$client = new RetryClient(baseDelay: 0.05, jitter: 0.0);
$requests = [
    'a' => apart(script('a', [['status' => 503], $step('a')])),
    'b' => apart(script('b', [$step('b')], 'h2'), 'POST', json: ['k' => 1]),
    3 => apart(script('c', [$step('c', 300)])),
    'd' => apart(script('d', [$step('d', 300)])),
];
$client = $client->with(verify: server('ca'));

// The first run ends after two.
$first = [];
foreach ($client->sendAll($requests, 3, journal: $file) as $key => $response) {
    $first[$key] = $response;
    if (count($first) === 2) {
        break;
    }
}
assert_same(['a', 'b'], array_values(array_intersect(['a', 'b'], array_keys($first))), 'the first run');
$sent = [count(received('a')), count(received('b'))];
assert_same([2, 1], $sent, 'requests of the first run');

// The second one has them first, without a request.
$second = [];
foreach ($client->sendAll($requests, 2, journal: $file) as $key => $response) {
    $second[$key] = $response;
}
$keys = array_keys($second);
$journaled = array_slice($keys, 0, 2);
sort($journaled);
assert_same([['a', 'b'], 4], [$journaled, count($keys)], 'order');
assert_same($sent, [count(received('a')), count(received('b'))], 'requests for what was there');
foreach ($first as $key => $response) {
    $expected = get_object_vars($response);
    unset($expected['headers']['set-cookie']);
    $actual = get_object_vars($second[$key]);
    foreach (['attempts', 'waited', 'elapsed'] as $property) {
        assert_same(json_encode($expected[$property]), json_encode($actual[$property]), "$key: $property");
        unset($expected[$property], $actual[$property]);
    }
    assert_same($expected, $actual, "$key: the response");
}
assert_same(['body of c', 'body of d'], [$second[3]->body, $second['d']->body]);
assert_same(['2', 2, true], [$second['b']->protocol, count($second['a']->attempts), $second['b']->ok()]);

// A third one sends nothing; an array's order of what is there does not matter, another client's way does not either.
$before = [count(received('c')), count(received('d'))];
$third = iterator_to_array((new FakeClient([]))->sendAll($requests, 1, journal: $file));
assert_same(4, count($third), 'results of the third run');
assert_same($before, [count(received('c')), count(received('d'))], 'requests of the third run');

// More requests: only those are sent. Fewer: only those are yielded.
$more = $requests + ['e' => apart(script('e', [$step('e')]))];
assert_same(5, count(iterator_to_array($client->sendAll($more, 2, journal: $file))));
assert_same([1, $before[1]], [count(received('e')), count(received('d'))]);
assert_same(['b'], array_keys(iterator_to_array((new FakeClient([]))->sendAll(['b' => $requests['b']], journal: $file))), 'fewer');
done();
?>
--EXPECT--
done
