--TEST--
What a hook or onProgress throws ends the batch at once
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$bad = new DomainException('from a hook');
$hooks = ['onAttempt' => [503, 0], 'onOutcome' => [503, 1], 'onRetry' => [503, 1], 'onProgress' => [200, 1]];
foreach ($hooks as $hook => [$status, $sent]) {
    script('stalled', [['action' => 'stall']]);
    $options = $hook === 'onProgress' ? [] : [$hook => static fn() => throw $bad];
    $client = new RetryClient(...$options, maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
    $input = (static function () use ($status) {
        if ($status === 200) {
            yield 'stalled' => apart(server('http') . '/' . script_name('stalled'));
        }
        yield 'a' => apart(script('a', [['status' => $status]]));
        yield 'b' => apart(script('b', [['body' => 'x', 'delay_ms' => 1000]]));
    })();
    $responses = $client->sendAll($input, 3, onProgress: $hook === 'onProgress' ? static fn() => throw $bad : null);
    $begin = hrtime(true);
    $thrown = thrown_by(static fn() => iterator_to_array($responses), DomainException::class);
    assert_true($thrown === $bad, "$hook: the same object");
    assert_between(0.0, 0.8, (hrtime(true) - $begin) / 1e9, "$hook: seconds");
    assert_same([false, null, null], [$responses->valid(), $responses->current(), $responses->key()], "$hook: over");
    assert_same($sent, count(received('a')), "$hook: requests");
    unset($responses);
    usleep(50_000);
    abandoned('stalled', count(received('stalled')));
}
// An exception of this extension's that a hook throws is the hook's, not a result.
$own = new RetryClient\NetworkException('mine', kind: 'reset');
$client = new RetryClient(onOutcome: static fn() => throw $own);
assert_true(thrown_by(static fn() => iterator_to_array($client->sendAll([new Request('GET', script('c', [[]]))]))) === $own, 'an own exception');
done();
?>
--EXPECT--
done
