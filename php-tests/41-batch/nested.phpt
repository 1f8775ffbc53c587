--TEST--
The client may be used in the loop's body, in hooks and in the input of a batch
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient();
$base = server('http');
$batch = static fn(string $name, int $count, int $delay = 50) => array_map(
    static fn(int $i) => new Request('GET', "$base/delay/$delay?body=$name$i&log=" . script_name($name)), array_combine(range(1, $count), range(1, $count)),
);
$bodies = static function (iterable $responses): array {
    $bodies = [];
    foreach ($responses as $key => $response) {
        $bodies[$key] = $response->body;
    }
    ksort($bodies);
    return $bodies;
};
$expected = static fn(string $name, int $count) => array_map(static fn(int $i) => "$name$i", array_combine(range(1, $count), range(1, $count)));

// In the body: send, sendAll, stream, start.
$outer = [];
foreach ($client->sendAll($batch('outer', 6), 2) as $key => $response) {
    $outer[$key] = $response->body;
    match ($key) {
        1 => assert_same('sent', $client->get("$base/status/200?body=sent")->body, 'send'),
        2 => assert_same($expected('inner', 5), $bodies($client->sendAll($batch('inner', 5), 3)), 'sendAll'),
        3 => assert_same('xxxxx', implode('', iterator_to_array($client->stream('GET', "$base/drip/5?every=10"))), 'stream'),
        4 => assert_same('started', $client->start(new Request('GET', "$base/delay/50?body=started"))->wait()->body, 'start'),
        default => null,
    };
}
ksort($outer);
assert_same($expected('outer', 6), $outer, 'the outer batch');

// The outer one's requests move on meanwhile: one that waited for its second attempt has it.
$requests = ['quick' => apart(script('quick', [['delay_ms' => 50]])), 'retried' => apart(script('retried', [['status' => 503], ['body' => 'again', 'delay_ms' => 100]]))];
foreach ((new RetryClient(baseDelay: 0.2, jitter: 0.0))->sendAll($requests, 2) as $key => $response) {
    if ($key === 'quick') {
        $client->get("$base/delay/600");
        assert_same(2, count(received('retried')), 'the outer one during a send');
    }
}

// In hooks.
$inner = [];
$hooked = new RetryClient(onOutcome: static function () use ($client, $batch, $bodies, &$inner) { $inner[] = $bodies($client->sendAll($batch('hook', 3, 20), 2)); });
assert_same($expected('with', 4), $bodies($hooked->sendAll($batch('with', 4), 2)), 'with hooks');
assert_same(array_fill(0, 4, $expected('hook', 3)), $inner, 'in hooks');

// In onProgress.
$inner = [];
$results = $client->sendAll($batch('progress', 2), 2, onProgress: static function ($progress) use ($client, $base, &$inner) { $inner[$progress->done] = $client->get("$base/status/200?body=p")->body; });
assert_same($expected('progress', 2), $bodies($results), 'with onProgress');
assert_same(['p', 'p'], [$inner[1] ?? null, $inner[2] ?? null], 'in onProgress');

// In the input.
$input = (static function () use ($client, $base, $batch) {
    foreach ($batch('input', 3) as $key => $request) {
        yield $key => $client->get("$base/status/201")->status === 201 ? $request : null;
    }
})();
assert_same($expected('input', 3), $bodies($client->sendAll($input, 2)), 'in the input');

// A batch as the input of a batch.
$chained = (static function () use ($client, $base, $batch) {
    foreach ($client->sendAll($batch('first', 5), 2) as $key => $response) {
        yield $key => new Request('GET', "$base/status/200?body=after-$response->body");
    }
})();
assert_same(array_map(static fn($body) => "after-$body", $expected('first', 5)), $bodies($client->sendAll($chained, 2)), 'chained');

// Two side by side by hand.
[$one, $two] = [$client->sendAll($batch('one', 4), 2), $client->sendAll($batch('two', 4), 2)];
$got = ['one' => [], 'two' => []];
for ($one->rewind(), $two->rewind(); $one->valid() || $two->valid(); $one->next(), $two->next()) {
    foreach (['one' => $one, 'two' => $two] as $name => $responses) {
        if ($responses->valid()) {
            $got[$name][$responses->key()] = $responses->current()->body;
        }
    }
}
ksort($got['one']);
ksort($got['two']);
assert_same(['one' => $expected('one', 4), 'two' => $expected('two', 4)], $got, 'two at once');
assert_same([6, 5, 12, 5], [count(received('outer')), count(received('inner')), count(received('hook')), count(received('first'))], 'requests');
done();
?>
--EXPECT--
done
