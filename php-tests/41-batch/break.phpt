--TEST--
break, an exception in the loop's body, return: what flies is dropped, and the input is cleaned up
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$log = [];
$input = static function (string $on) use (&$log) {
    try {
        yield 'quick' => new Request('GET', script('quick', [['body' => 'x']], $on));
        while (true) {
            yield new Request('GET', server($on) . '/' . script_name('stalled'));
        }
    } finally {
        $log[] = 'input cleaned up';
    }
};
$client = new RetryClient(verify: server('ca'), maxAttempts: 1);
$ways = [
    'break' => static function ($responses) {
        foreach ($responses as $response) {
            break;
        }
    },
    'exception' => static function ($responses) {
        try {
            foreach ($responses as $response) {
                throw new DomainException('in the body');
            }
        } catch (DomainException) {
        }
    },
    'return' => static function ($responses) {
        return (static function ($responses) {
            foreach ($responses as $key => $response) {
                return $key;
            }
        })($responses);
    },
    'unset' => static function ($responses) { $responses->current(); },
    'a generator over it, dropped' => static function ($responses) {
        $outer = (static function () use ($responses) { yield from $responses; })();
        assert_same('quick', $outer->key());
    },
];
foreach (['http', 'h2'] as $on) {
    foreach ($ways as $what => $way) {
        $log = [];
        script('stalled', [['action' => 'stall']], $on);
        $responses = $client->sendAll($input($on), 4);
        $way($responses);
        unset($responses);
        gc_collect_cycles();
        $log[] = 'after';
        assert_same(['input cleaned up', 'after'], $log, "$on, $what: the input");
        usleep(50_000);    // for what was sent a moment ago to arrive
        $count = count(received('stalled'));
        assert_true($count <= 4, "$on, $what: in flight: $count");
        abandoned('stalled', $count);
    }
    assert_same('x', $client->get(script('next', [['body' => 'x']], $on))->body, "$on: the client goes on");
}

// With the temporary of a foreach, the clean-up comes before the next statement.
$log = [];
script('stalled', [['action' => 'stall']]);
foreach ($client->sendAll($input('http'), 4) as $response) {
    $log[] = 'body';
    break;
}
$log[] = 'after';
assert_same(['body', 'input cleaned up', 'after'], $log, 'order');
done();
?>
--EXPECT--
done
