<?php
// Attempts, waits, hooks and bodies of one call.
require __DIR__ . '/../../support.php';

$url = script('a', [['status' => 503], ['status' => 429, 'headers' => [['Retry-After', '0.05']]], ['action' => 'echo']]);
$told = [];
$client = new RetryClient(
    limitKey: "of $round, $thread, $request",    // the refusal is for this request only
    baseDelay: 0.02,
    jitter: 0.0,
    onRetry: static function (RetryClient\Attempt $attempt) use (&$told) { $told[] = $attempt->status; },
);
$mine = bin2hex(random_bytes(20_000));
$response = $client->post($url, json: ['mine' => $mine, 'thread' => $thread]);
assert_same([200, [503, 429, 200]], [$response->status, array_column($response->attempts, 'status')]);
assert_same([503, 429], $told, 'onRetry');
$bodies = array_map(static fn($entry) => json_decode(body_of($entry), true), received('a', 3));
assert_same(array_fill(0, 3, ['mine' => $mine, 'thread' => $thread]), $bodies, 'the bodies');

$before = $client->get(server('http') . '/bytes/300000');
assert_same(str_repeat('x', 300_000), $before->body, 'a large body');
assert_same(count($before->attempts), 1);
done();
