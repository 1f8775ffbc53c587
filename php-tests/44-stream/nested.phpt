--TEST--
The client may be used in the loop's body, and started calls move on while a stream is read
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(verify: server('ca'));
foreach (['http', 'h2'] as $on) {
    $pending = $client->start(new Request('GET', script('p', [['body' => 'started', 'delay_ms' => 150]], $on)));
    $got = [];
    foreach ($client->stream('GET', script('a', [chunks(["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"], 150)], $on))->events() as $event) {
        $got[] = $event->data;
        $got[] = $client->get(script('b', [['body' => "call $event->data"]], $on))->body;
        $got[] = implode('', iterator_to_array($client->stream('GET', script('c', [chunks(['in', 'ner'], 50)], $on))));
    }
    assert_same(['1', 'call 1', 'inner', '2', 'call 2', 'inner', '3', 'call 3', 'inner'], $got, $on);
    assert_same(true, $pending->done(), "$on: a started call");
    assert_same('started', $pending->wait()->body, $on);
}
// Two streams by hand, side by side.
[$one, $two] = array_map(static fn(string $name) => $client->stream('GET', script($name, [chunks(["$name-1\n", "$name-2\n"], 100)]))->lines(), ['one', 'two']);
$got = [];
for ($one->rewind(), $two->rewind(); $one->valid() && $two->valid(); $one->next(), $two->next()) {
    array_push($got, $one->current(), $two->current());
}
assert_same(['one-1', 'two-1', 'one-2', 'two-2'], $got);

// Hooks of a started call run in it; what they throw is theirs.
$bad = new DomainException('from a hook');
$pending = $client->with(onOutcome: static fn() => throw $bad)->start(new Request('GET', script('d', [['delay_ms' => 100]])));
assert_same('ab', implode('', iterator_to_array($client->stream('GET', script('e', [chunks(['a', 'b'], 300)])))));
assert_true(thrown_by(static fn() => $pending->wait()) === $bad, 'the hook\'s exception');
done();
?>
--EXPECT--
done
