--TEST--
In a hook a call moves the others on, but only the hooks of those it waits for run
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$log = [];
$note = static function (string $name) use (&$log) { return static function () use ($name, &$log) { $log[] = $name; }; };
$client = new RetryClient();
$other = $client->with(onOutcome: $note('other'))->start(new Request('GET', script('other', [['body' => 'other', 'delay_ms' => 300]])));
$waitedFor = null;
$outer = $client->with(onOutcome: static function () use (&$log, &$waitedFor, $client, $note) {
    $log[] = 'outer begins';
    $waitedFor = $client->with(onOutcome: $note('waited for'))->start(new Request('GET', script('waited', [['body' => 'waited', 'delay_ms' => 600]])));
    $log[] = $waitedFor->wait()->body;
    $log[] = $client->with(onOutcome: $note('sent'))->get(script('sent', [['body' => 'sent']]))->body;
    $log[] = 'outer ends';
});
assert_same('outer', $outer->get(script('outer', [['body' => 'outer', 'delay_ms' => 50]]))->body);
assert_same(['outer begins', 'waited for', 'waited', 'sent', 'sent', 'outer ends'], array_slice($log, 0, 6), 'in the hook');
// The other had its answer meanwhile, so that it takes no time now; its hook waited for the outer level.
assert_between(0.0, 0.2, seconds(static fn() => $other->wait()->body, $body), 'seconds for the other');
assert_same(['other', 'other'], [$body, $log[6] ?? null], 'the other');
assert_same(7, count($log), 'each once: ' . implode(', ', $log));

// poll() in a hook.
$log = [];
$inner = $client->with(onOutcome: $note('inner'))->start(new Request('GET', script('inner', [['body' => 'inner', 'delay_ms' => 100]])));
$client->with(onOutcome: static function () use (&$log, $inner) {
    poll_until(static fn() => $inner->done(), $inner);
    $log[] = 'polled';
})->get(server('http') . '/status/200');
assert_same(['inner', 'polled'], $log);

// As deep as it likes.
$depth = 0;
$deep = new RetryClient(onOutcome: static function () use (&$deep, &$depth) {
    if ($depth++ < 20) {
        $deep->start(new Request('GET', server('http') . '/status/200'))->wait();
    }
});
$deep->start(new Request('GET', server('http') . '/status/200'))->wait();
assert_same(21, $depth, 'depth');
done();
?>
--EXPECT--
done
