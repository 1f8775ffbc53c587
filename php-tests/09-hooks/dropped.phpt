--TEST--
A hook may drop the last reference to the client, its request and its streams
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Request, Response};

$url = script('a', [['status' => 503, 'body' => 'busy'], ['body' => 'done']]);
foreach (['onAttempt', 'onOutcome', 'onRetry'] as $hook) {
    foreach (['real', 'fake'] as $kind) {
        control('POST', '/_script/' . script_name('a'), [['status' => 503, 'body' => 'busy'], ['body' => 'done']]);
        $body = fopen('php://memory', 'r+');
        fwrite($body, 'content');
        rewind($body);
        $sink = fopen('php://memory', 'r+');
        $dropped = 0;
        $hooks = ['baseDelay' => 0, 'jitter' => 0, $hook => static function () use (&$client, &$request, &$body, &$dropped) {
            $dropped++;
            $client = $request = $body = null;
            gc_collect_cycles();
        }];
        $client = $kind === 'real' ? new RetryClient(...$hooks) : new FakeClient([new Response(status: 503), new Response(body: 'done')], ...$hooks);
        $request = new Request('PUT', $url, body: $body, sink: $sink);
        unset($hooks);
        $response = $client->sendRequest($request);
        rewind($sink);
        assert_same([200, 'done', $hook === 'onRetry' ? 1 : 2], [$response->status, stream_get_contents($sink), $dropped], "$hook, $kind");
        assert_same(null, $client);
        if ($kind === 'real') {
            assert_same(['content', 'content'], array_map('body_of', received('a', 2)), "$hook, $kind");
        }
    }
}

// A temporary client.
assert_same(200, (new RetryClient(onOutcome: static fn() => gc_collect_cycles()))->get(script('b', [[]]))->status);
done();
?>
--EXPECT--
done
