--TEST--
In a forked child what the parent began ends with NetworkExceptions as values, and the batch goes on with the rest
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';
require __DIR__ . '/../signals.php';

use RetryClient\{NetworkException, Response};

$ours = 'The call was begun in another process and cannot go on here';
/** @return array<int, string> */
$all = static function (iterable $responses) use ($ours): array {
    $results = [];
    foreach ($responses as $key => $result) {
        $results[$key] = match (true) {
            $result instanceof Response => $result->body,
            $result instanceof NetworkException && str_contains($result->getMessage(), $ours) => 'begun by the parent',
            default => $result::class . ': ' . $result->getMessage(),
        };
    }
    ksort($results);
    return $results;
};

// Forked in the generator: two are in flight. In the child their results are values, the others are sent by it.
$url = script('a', [['action' => 'echo', 'delay_ms' => 200]]);
$child = null;
$parent = getmypid();
$file = folder() . '/child';
$input = static function () use ($url, &$child) {
    yield apart("$url/0");
    yield apart("$url/1");
    $child = pcntl_fork();
    $who = $child === 0 ? 'child' : 'parent';
    yield apart("$url/2-$who");
    yield apart("$url/3-$who");
};
$results = $all((new RetryClient(maxAttempts: 1))->sendAll($input()));
$paths = array_map(static fn(string $body) => basename(json_decode($body)->path ?? $body), $results);
if (getmypid() !== $parent) {
    file_put_contents($file, json_encode($paths));
    posix_kill(getmypid(), SIGKILL);
}
joined($child);
assert_same(['0', '1', '2-parent', '3-parent'], $paths, 'in the parent');
assert_same(['begun by the parent', 'begun by the parent', '2-child', '3-child'], json_decode((string) file_get_contents($file)), 'in the child');
assert_same(6, count(received('a')), 'requests');

// Forked in the body, with a result that is there already, and in a hook.
foreach (['body', 'hook'] as $where) {
    $child = null;
    unlink($file);
    $fork = static function () use (&$child) { $child ??= pcntl_fork(); };
    $client = new RetryClient(maxAttempts: 1, onOutcome: $where === 'hook' ? $fork : null);
    $slow = script('b', [['body' => 'slow', 'delay_ms' => 500]]);
    $results = [];
    $responses = $client->sendAll(['quick' => apart(script('c', [['body' => 'quick']])), 'slow' => apart($slow), 'last' => apart($slow)], 2);
    foreach ($all((static function () use ($responses, $fork) {
        foreach ($responses as $key => $result) {
            $fork();
            yield $key => $result;
        }
    })()) as $key => $result) {
        $results[$key] = $result;
    }
    if (getmypid() !== $parent) {
        file_put_contents($file, json_encode($results));
        posix_kill(getmypid(), SIGKILL);
    }
    joined($child);
    assert_same(['last' => 'slow', 'quick' => 'quick', 'slow' => 'slow'], $results, "$where: in the parent");
    $begun = 'begun by the parent';
    // The last one may have been taken from the input before the fork or after it.
    $inChild = json_decode((string) file_get_contents($file), true);
    assert_true(in_array($inChild['last'] ?? null, [$begun, 'slow'], true), "$where: the last one in the child");
    unset($inChild['last']);
    assert_same(['quick' => $where === 'hook' ? $begun : 'quick', 'slow' => $begun], $inChild, "$where: in the child");
}
done();
?>
--EXPECT--
done
