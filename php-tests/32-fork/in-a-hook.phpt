--TEST--
After a fork in a hook the parent's call goes on, and the child can make its own
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

$url = script('a', [['status' => 503], ['body' => 'ok']]);
$own = script('b', [['body' => 'own']]);
$parent = getmypid();
$child = null;
$client = new RetryClient(baseDelay: 0.3, jitter: 0.0, onRetry: function () use (&$child) { $child = pcntl_fork(); });
$seconds = seconds(fn() => $client->get($url), $outcome);
if (getmypid() !== $parent) {
    // The parent's call is not the child's: it ends at once and sends nothing.
    assert_same([RetryClient\NetworkException::class, 'reset'], [get_debug_type($outcome), $outcome->kind ?? null], 'in the child');
    assert_same('own', (new RetryClient())->get($own)->body, 'a call of the child');
    posix_kill(getmypid(), SIGKILL);
}
joined($child);
assert_same('ok', $outcome->body, 'in the parent');
assert_same(2, count(received('a')), 'requests');
assert_between(0.3, 0.6, gaps(received('a'))[0], 'gap');
done();
?>
--EXPECT--
done
