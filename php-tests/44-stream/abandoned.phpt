--TEST--
Giving a stream up closes its connection at once; HTTP/2 resets the one stream
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$client = new RetryClient(verify: server('ca'));
$ways = [
    'break' => static function (string $url) use ($client) {
        foreach ($client->stream('GET', $url) as $number => $chunk) {
            if ($number === 2) {
                break;
            }
        }
    },
    'never read' => static function (string $url) use ($client) { $client->stream('GET', $url); },
    'the iterator is dropped' => static function (string $url) use ($client, &$kept) {
        $kept = $client->stream('GET', $url);
        $iterator = $kept->lines();
        $iterator->rewind();
        unset($iterator);
    },
    'an exception in the body' => static function (string $url) use ($client) {
        try {
            foreach ($client->stream('GET', $url)->events() as $event) {
                throw new DomainException();
            }
        } catch (DomainException) {
        }
    },
    'a generator over it is dropped' => static function (string $url) use ($client) {
        $generator = (static function () use ($client, $url) { yield from $client->stream('GET', $url); })();
        $generator->next();
        unset($generator);
    },
    'in a cycle' => static function (string $url) use ($client) {
        $holder = new stdClass();
        $holder->stream = $client->stream('GET', $url);
        $holder->iterator = $holder->stream->getIterator();
        $holder->self = $holder;
        unset($holder);
        gc_collect_cycles();
    },
];
foreach (['http', 'h2'] as $on) {
    $client->get(script('before', [[]], $on));
    foreach ($ways as $what => $way) {
        $url = script('a', [['action' => 'endless', 'body' => "data: x\n\n", 'drip' => ['bytes' => 9, 'every_ms' => 30]]], $on);
        $way($url);
        $now = hrtime(true);
        $left = abandoned('a', 1)[0]['left_ns'] ?? 0;
        assert_between(-0.2, 0.3, ($left - $now) / 1e9, "$on, $what: seconds until the server saw it");
        $kept = null;
    }
    $client->get(script('after', [[]], $on));
    assert_same($on === 'h2', received('before')[0]['connection'] === received('after')[0]['connection'], "$on: whether one connection served all");
}

// The iterator alone is enough to go on.
$got = [];
foreach ($client->stream('GET', script('b', [chunks(["1\n", "2\n"], 100)]))->lines() as $line) {
    gc_collect_cycles();
    $got[] = $line;
}
assert_same(['1', '2'], $got);
$iterator = $client->stream('GET', script('c', [chunks(['1', '2'], 100)]))->getIterator();
assert_same('12', implode('', iterator_to_array($iterator)));
// What is left at the script's end is no matter.
$last = $client->stream('GET', server('http') . '/endless?every=10');
done();
?>
--EXPECT--
done
