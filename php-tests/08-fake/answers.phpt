--TEST--
FakeClient: a list of answers
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, FakeClient, NetworkException, Response};

// Handed back as the real client would: attempts, times and address are the call's own.
$given = new Response(
    status: 203, reasonPhrase: 'Fine', protocol: '2', headers: ['X-A' => ['1', '2']], body: "bytes \0\xff",
    uri: 'http://b.test/', attempts: [new Attempt(), new Attempt()], waited: 99.0, elapsed: 99.0,
);
$client = new FakeClient([$given, $given]);
$got = $client->get('http://a.test/x?y');
assert_same(
    [203, 'Fine', '2', ['x-a' => ['1', '2']], "bytes \0\xff", 'http://a.test/x?y', 1, 0.0, 0.0, null],
    [$got->status, $got->reasonPhrase, $got->protocol, $got->headers, $got->body, $got->uri, count($got->attempts), $got->waited, $got->elapsed, $got->retryAfter],
);
assert_same([99.0, 2, 'http://b.test/'], [$given->waited, count($given->attempts), $given->uri], 'the given one is as it was');

// The same object may answer more than once; keys do not matter.
$ok = new Response(body: 'x');
$client = new FakeClient(['first' => $ok, 7 => $ok]);
assert_same(['x', 'x'], [$client->get('http://a.test/')->body, $client->head('http://a.test/')->status === 200 ? 'x' : '']);

// Throwables that are no network failure are thrown as they are.
foreach ([new LogicException('mine'), new Error('mine'), new RetryClient\BudgetExceededException('mine', needed: 5)] as $own) {
    $client = new FakeClient([$own, $ok]);
    assert_same($own, thrown_by(static fn() => $client->get('http://a.test/'), $own::class));
    assert_same('x', $client->get('http://a.test/')->body, 'the next call gets the next answer');
}

// Network failures end a call like real ones.
$client = new FakeClient([new NetworkException('gone', 5, kind: 'reset'), new NetworkException('gone again', kind: 'reset')], maxAttempts: 2);
$thrown = thrown_by(static fn() => $client->get('http://a.test/'), NetworkException::class);
assert_same(['GET http://a.test/ got no response after 2 attempts: gone again', 'reset', ['gone', 'gone again']], [$thrown->getMessage(), $thrown->kind, array_column($thrown->attempts, 'error')]);
done();
?>
--EXPECT--
done
