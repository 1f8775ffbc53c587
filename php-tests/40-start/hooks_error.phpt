--TEST--
What a hook of a started call throws is that call's outcome, not the waiting one's
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$bad = new DomainException('from a hook');
$other = new RetryClient();
foreach (['onAttempt', 'onOutcome', 'onRetry'] as $hook) {
    $client = new RetryClient(...[$hook => static fn() => throw $bad], baseDelay: 0.0, jitter: 0.0);
    $waits = [
        'send' => static fn() => $other->get(server('http') . '/delay/300')->status,
        'wait' => static fn() => $other->start(new Request('GET', server('http') . '/delay/300'))->wait()->status,
        'poll' => static function (RetryClient\Pending $pending) { poll_until(static fn() => $pending->done(), $pending); return 200; },
        'sendAll' => static fn() => iterator_to_array($other->sendAll([new Request('GET', server('http') . '/delay/300')]))[0]->status,
        'stream' => static fn() => strlen(implode('', iterator_to_array($other->stream('GET', server('http') . '/drip/6?every=50')))) === 6 ? 200 : 0,
    ];
    foreach ($waits as $what => $wait) {
        $pending = $client->start(apart(script('a', [['status' => 503], []])));
        assert_same(200, $wait($pending), "$hook, in $what()");
        assert_same(true, $pending->done(), "$hook, in $what(): done");
        assert_true(thrown_by(static fn() => $pending->wait()) === $bad, "$hook, in $what(): the outcome");
        assert_true(thrown_by(static fn() => $pending->wait()) === $bad, "$hook, in $what(): again");
        assert_same($hook === 'onAttempt' ? 0 : 1, count(received('a')), "$hook, in $what(): requests");
    }
}
done();
?>
--EXPECT--
done
