--TEST--
events(): each as soon as its empty line is there
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$client = new RetryClient(verify: server('ca'));
$client->get(server('h2') . '/status/200');
foreach (['http', 'h2'] as $on) {
    // The third ends in a CR, to which an LF may belong that comes later.
    $url = script('a', [chunks(["data: 1\n\nda", "ta: 2\r\n\r", "\ndata: 3\r\r", 'data: 4', "\n\n"], 200)], $on);
    $begin = hrtime(true);
    $times = [];
    foreach ($client->stream('GET', $url)->events() as $event) {
        $times[$event->data] = (hrtime(true) - $begin) / 1e9;
    }
    assert_same([1, 2, 3, 4], array_keys($times), $on);
    foreach ([1 => 0.0, 2 => 0.2, 3 => 0.4, 4 => 0.8] as $data => $at) {
        assert_between($at, $at + ($data === 4 ? 0.5 : 0.18), $times[$data], "$on: event $data");
    }
}
done();
?>
--EXPECT--
done
