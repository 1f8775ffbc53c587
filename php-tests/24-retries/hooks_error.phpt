--TEST--
What a hook throws ends the call, and the next call goes on
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$bad = new DomainException('from a hook');
foreach (['onAttempt', 'onRetry', 'onOutcome'] as $hook) {
    $client = new RetryClient(...[$hook => fn() => throw $bad], baseDelay: 0.0, jitter: 0.0);
    assert_same($bad, thrown_by(fn() => $client->get(script('a', [['status' => 503], []]))), $hook);
    assert_same($hook === 'onAttempt' ? 0 : 1, count(received('a')), "$hook: requests");
}
assert_same(200, (new RetryClient())->get(script('a', [[]]))->status, 'the next');
done();
?>
--EXPECT--
done
