--TEST--
A started call moves on while PHP waits for something else of this extension, and only then
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(baseDelay: 0.1, jitter: 0.0);
$base = server('http');
$waits = [
    'send' => static fn() => $client->get("$base/delay/500"),
    'sendRequest' => static fn() => $client->sendRequest(new Request('GET', "$base/delay/500")),
    'stream' => static fn() => iterator_to_array($client->stream('GET', "$base/drip/11?every=50")),
    'sendAll' => static fn() => iterator_to_array($client->sendAll([new Request('GET', "$base/delay/500")])),
    'wait' => static fn() => $client->start(new Request('GET', "$base/delay/500"))->wait(),
    'wait with a timeout' => static fn() => $client->start(new Request('GET', "$base/stall"))->wait(0.5),
    'poll' => static fn() => RetryClient::poll([$client->start(new Request('GET', "$base/stall"))], 0.5),
    'a wait between attempts' => static fn() => $client->with(baseDelay: 0.5)->sendRequest(apart(script('z', [['status' => 503], []]))),
];
foreach ($waits as $what => $wait) {
    $pending = $client->start(apart(script('a', [['status' => 503], ['body' => 'moved', 'delay_ms' => 50]])));
    $wait();
    assert_same([true, 2], [$pending->done(), count(received('a'))], "during $what");
    assert_between(0.0, 0.05, seconds(static fn() => $pending->wait()->body, $body), "during $what: it is there");
    assert_same('moved', $body, $what);
}
// While PHP code runs, nothing moves.
$pending = $client->start(apart(script('b', [['status' => 503, 'delay_ms' => 50], ['body' => 'late']])));
usleep(400_000);
assert_same([false, 1], [$pending->done(), count(received('b'))], 'while PHP slept');
assert_same('late', $pending->wait()->body);
done();
?>
--EXPECT--
done
