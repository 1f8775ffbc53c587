--TEST--
Hooks may use the client they belong to, and others
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$outer = script('a', [['status' => 503], ['body' => 'outer']]);
$inner = script('b', [['body' => 'inner']]);
$seen = [];
$depth = 0;
$nest = static function (string $hook) use (&$client, &$seen, &$depth, $inner) {
    return static function () use ($hook, &$client, &$seen, &$depth, $inner) {
        if ($depth > 0) {
            return null;
        }
        $depth++;
        $seen[] = "$hook: " . $client->get($inner)->body;
        $seen[] = "$hook: " . (new RetryClient())->get($inner)->body;
        $seen[] = "$hook: " . $client->with(maxAttempts: 2)->get($inner)->body;
        $depth--;
        return null;
    };
};
$client = new RetryClient(baseDelay: 0, jitter: 0, onAttempt: $nest('onAttempt'), onOutcome: $nest('onOutcome'), onRetry: $nest('onRetry'));
assert_same('outer', $client->get($outer)->body);
$expected = [];
foreach (['onAttempt', 'onOutcome', 'onRetry', 'onAttempt', 'onOutcome'] as $hook) {
    array_push($expected, ...array_fill(0, 3, "$hook: inner"));
}
assert_same($expected, $seen);
assert_same([2, 15], [count(received('a')), count(received('b'))]);

// As deep as it likes.
$deep = static function ($request, int $attempt) use (&$client, &$depth) {
    if ($depth++ < 50) {
        assert_same(200, $client->get('http://a.test/')->status);
    }
};
$client = new FakeClient(static fn() => new Response(), onAttempt: $deep);
assert_same(200, $client->get('http://a.test/')->status);
assert_same(51, count($client->requests()));
done();
?>
--EXPECT--
done
