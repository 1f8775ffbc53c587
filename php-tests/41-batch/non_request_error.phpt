--TEST--
Anything but a Request in the input: a TypeError, when all before it has been handed over
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

/** The keys that came, and what was thrown then. */
function passed(iterable $responses): array
{
    $keys = [];
    $thrown = null;
    try {
        foreach ($responses as $key => $response) {
            $keys[] = $key;
        }
    } catch (Throwable $thrown) {
    }
    sort($keys);
    return [$keys, $thrown];
}

$slow = script('slow', [['body' => 'x', 'delay_ms' => 200]]);
$clients = ['real' => new RetryClient(), 'fake' => new FakeClient(static fn() => new Response())];
foreach ($clients as $what => $client) {
    foreach ([null, 'GET', 5, new Response(), [new Request('GET', $slow)], static fn() => 1] as $wrong) {
        $request = new Request('GET', $slow);
        $pulled = [];
        $input = static function () use ($request, $wrong, &$pulled) {
            foreach (['a' => $request, 'b' => $request, 'bad' => $wrong, 'c' => $request, 'd' => $request] as $key => $value) {
                $pulled[] = $key;
                yield $key => $value;
            }
        };
        [$keys, $thrown] = passed($client->sendAll($input(), 2));
        $given = get_debug_type($wrong);
        assert_same([['a', 'b'], TypeError::class], [$keys, get_debug_type($thrown)], "$what, $given");
        assert_contains($given, (string) $thrown?->getMessage(), "$what: the message");
        assert_contains('bad', (string) $thrown?->getMessage(), "$what: the message names the key");
        assert_same(['a', 'b', 'bad'], $pulled, "$what, $given: taken from the input");
    }
    // At the very first, and in an array.
    [$keys, $thrown] = passed($client->sendAll(['x' => 'GET', 'y' => new Request('GET', $slow)]));
    assert_same([[], TypeError::class], [$keys, get_debug_type($thrown)], "$what: the first");
}
assert_same(12, count(received('slow')), 'requests: two for each');

// After it the batch is over.
$responses = (new RetryClient())->sendAll([new Request('GET', $slow), null, new Request('GET', $slow)]);
passed($responses);
assert_same([false, null], [$responses->valid(), $responses->current()], 'over');

// A Request that cannot be built is no other's matter: all begun before it is handed over.
$wrong = [
    'a path that is not there' => [ValueError::class, new Request('GET', $slow, sink: '/missing/file')],
    'a relative URI' => [ValueError::class, new Request('GET', 'relative')],
];
foreach ($wrong as $what => [$class, $request]) {
    [$keys, $thrown] = passed((new RetryClient())->sendAll(['a' => new Request('GET', $slow), 'bad' => $request, 'b' => new Request('GET', $slow)]));
    assert_same([['a'], $class], [$keys, get_debug_type($thrown)], $what);
}
done();
?>
--EXPECT--
done
