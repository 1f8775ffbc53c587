--TEST--
wait(): null when the time has passed, and the call goes on
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(maxAttempts: 1);
$pending = $client->start(new Request('GET', script('a', [['body' => 'late', 'delay_ms' => 500]])));
assert_between(0.0, 0.1, seconds(static fn() => $pending->wait(0.0), $outcome), 'no time');
assert_same(null, $outcome);
assert_between(0.2, 0.45, seconds(static fn() => $pending->wait(0.2), $outcome), 'some time');
assert_same([null, false, null, [], '', 0], [$outcome, $pending->done(), $pending->status(), $pending->headers(), $pending->read(), $pending->received()]);
assert_same('late', $pending->wait(5.0)->body);
assert_same(1, count(received('a')), 'requests');

// It is not over before its time because something moves.
$pending = $client->start(new Request('GET', script('b', [['body' => 'abcdefgh', 'drip' => ['every_ms' => 40]]])));
assert_between(0.15, 0.4, seconds(static fn() => $pending->wait(0.15), $outcome), 'while bytes come');
assert_same(null, $outcome);
assert_same('abcdefgh', $pending->wait()->body);
done();
?>
--EXPECT--
done
