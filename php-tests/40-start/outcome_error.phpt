--TEST--
wait() throws what send() would, the same object each time
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{AttemptsExhaustedException, HttpException, NetworkException, Request};

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
$cases = [
    'given up' => [AttemptsExhaustedException::class, $client, apart(script('a', [['status' => 503, 'body' => 'no']])), 503],
    'no response' => [NetworkException::class, $client, new Request('GET', server('refused')), null],
    'an error status' => [HttpException::class, $client->with(throwOnError: true), new Request('GET', script('b', [['status' => 404]])), 404],
];
foreach ($cases as $what => [$class, $client, $request, $status]) {
    $pending = $client->start($request);
    $thrown = thrown_by(static fn() => $pending->wait(), $class);
    assert_same($class, get_debug_type($thrown), $what);
    assert_true($thrown === thrown_by(static fn() => $pending->wait()), "$what: the same object");
    assert_true($thrown === thrown_by(static fn() => $pending->wait(0.0)), "$what: the same object, with a timeout");
    assert_same([true, $status], [$pending->done(), $thrown->response->status ?? null], $what);
    assert_same($status === 404 ? 1 : 2, count($thrown->attempts), "$what: attempts");
    assert_same($pending, RetryClient::poll(['k' => $pending])['k'] ?? null, "$what: poll() throws nothing");
}
// One that fails is no other's matter.
$bad = $client->start(new Request('GET', server('refused')));
$good = $client->start(new Request('GET', script('c', [['body' => 'good', 'delay_ms' => 100]])));
assert_same('good', $good->wait()->body);
thrown_by(static fn() => $bad->wait(), NetworkException::class);
done();
?>
--EXPECT--
done
