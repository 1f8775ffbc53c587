--TEST--
Hooks: their order and their arguments
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, FakeClient, NetworkException, Reason, Request, Response};

/** Hooks that note what they get. */
function hooks(array &$seen): array
{
    return [
        'onAttempt' => static function (mixed ...$given) use (&$seen) { $seen[] = ['attempt', ...$given]; },
        'onRetry' => static function (mixed ...$given) use (&$seen) { $seen[] = ['retry', ...$given]; },
        'onOutcome' => static function (mixed ...$given) use (&$seen) { $seen[] = ['outcome', ...$given]; },
    ];
}

$url = script('a', [['status' => 503, 'body' => 'busy', 'headers' => [['X-Try', '1']]], ['body' => 'done']]);
foreach ([
    'real' => static fn(array $hooks) => new RetryClient(...$hooks, baseDelay: 0.01, jitter: 0),
    'fake' => static fn(array $hooks) => new FakeClient([new Response(503, body: 'busy', headers: ['X-Try' => '1']), new Response(body: 'done')], ...$hooks, baseDelay: 0.01),
] as $kind => $client) {
    $seen = [];
    $response = $client(hooks($seen))->post($url, json: ['k' => 'v']);
    assert_same(['attempt', 'outcome', 'retry', 'attempt', 'outcome'], array_column($seen, 0), $kind);
    [$attempt1, $outcome1, $retry, $attempt2, $outcome2] = $seen;

    assert_same([3, 3, 3, 3, 3], array_map('count', $seen), "$kind: arguments");
    assert_same([Request::class, 'POST', $url, ['k' => 'v'], 1], [$attempt1[1]::class, $attempt1[1]->method, $attempt1[1]->uri, $attempt1[1]->json, $attempt1[2]], $kind);
    assert_same([$attempt1[1], 2], [$attempt2[1], $attempt2[2]], "$kind: the same Request");

    assert_same([Attempt::class, Response::class], [$outcome1[1]::class, $outcome1[2]::class], $kind);
    assert_same([1, 503, null, 0.01, Reason::Backoff], [$outcome1[1]->number, $outcome1[1]->status, $outcome1[1]->error, $outcome1[1]->wait, $outcome1[1]->reason], $kind);
    assert_same([503, '1', 1, 0.0], [$outcome1[2]->status, $outcome1[2]->header('x-try'), count($outcome1[2]->attempts), $outcome1[2]->waited], $kind);
    assert_same([Attempt::class, 1, 503, 0.01], [$retry[1]::class, $retry[1]->number, $retry[1]->status, $retry[2]], $kind);
    assert_true($retry[1] == $outcome1[1], "$kind: both hooks see the same attempt");

    assert_same([2, 200, 0.0, Reason::Answered], [$outcome2[1]->number, $outcome2[1]->status, $outcome2[1]->wait, $outcome2[1]->reason], $kind);
    assert_same(['done', 200, 2, 0.01], [$outcome2[2]->body, $outcome2[2]->status, count($outcome2[2]->attempts), $outcome2[2]->waited], $kind);
    assert_true($outcome2[2]->attempts == $response->attempts, "$kind: attempts");
}

// Without a response.
$seen = [];
$down = new NetworkException('down', kind: 'dns');
$client = new FakeClient([$down, $down], ...hooks($seen), maxAttempts: 2);
thrown_by(static fn() => $client->get('http://a.test/'), NetworkException::class);
assert_same(['attempt', 'outcome', 'retry', 'attempt', 'outcome'], array_column($seen, 0));
assert_same([null, null, 'down', Reason::Network], [$seen[1][2], $seen[1][1]->status, $seen[1][1]->error, $seen[1][1]->reason]);
assert_same(Reason::AttemptsExhausted, $seen[4][1]->reason);

// sendRequest() hands on its own Request.
$seen = [];
$request = new Request('get', 'http://a.test/');
(new FakeClient([new Response()], ...hooks($seen)))->sendRequest($request);
assert_same($request, $seen[0][1]);
done();
?>
--EXPECT--
done
