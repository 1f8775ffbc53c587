--TEST--
FakeClient::with(): a copy that shares answers, requests and clock
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$client = new FakeClient([new Response(body: '1'), new Response(body: '2'), new Response(body: '3'), new Response(status: 500), new Response()]);
$copy = $client->with(baseUri: 'http://b.test');
$grandchild = $copy->with(maxAttempts: 2, baseDelay: 9);
assert_same([FakeClient::class, FakeClient::class], [$copy::class, $grandchild::class]);
assert_same(['1', '2', '3'], [$client->get('http://a.test/')->body, $copy->get('x')->body, $grandchild->get('y')->body]);
assert_same(9.0, $grandchild->get('z')->waited);
$sent = ['http://a.test/', 'http://b.test/x', 'http://b.test/y', 'http://b.test/z', 'http://b.test/z'];
foreach ([$client, $copy, $grandchild] as $any) {
    assert_same($sent, array_column($any->requests(), 'uri'));
}
thrown_by(static fn() => $client->get('http://a.test/'), UnderflowException::class);

// The copy keeps what it shares alive.
$copy = (new FakeClient([new Response(body: 'kept')]))->with(baseUri: 'http://a.test');
gc_collect_cycles();
assert_same('kept', $copy->get('/')->body);

// jitter: 0 is an option of the fake client, which a copy keeps or changes.
$waits = [];
$note = static function ($attempt, $wait) use (&$waits) { $waits[] = $wait; };
$always = new FakeClient(static fn() => new Response(status: 500), maxAttempts: 2, throwOnGiveUp: false, onRetry: $note);
$always->with(baseDelay: 1)->get('http://a.test/');
$always->with(jitter: 1)->get('http://a.test/');
assert_same(1.0, $waits[0]);
assert_true($waits[1] > 0.5 && $waits[1] <= 1.5, "with jitter: $waits[1]");
done();
?>
--EXPECT--
done
