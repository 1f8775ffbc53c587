--TEST--
Once bytes were handed out, a broken body is not tried again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{NetworkException, Request};

$broken = ['content_length' => 20, 'chunks' => ['hello', ' world'], 'drip' => ['every_ms' => 200]];
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);

$pending = $client->start(new Request('GET', script('a', [$broken, ['body' => 'whole']])));
poll_until(static fn() => $pending->received() > 0, $pending);
assert_same('hello', $pending->read());
$thrown = thrown_by(static fn() => $pending->wait(), NetworkException::class);
assert_same(['reset', 1], [$thrown?->kind, count($thrown->attempts)], 'read');
assert_same(1, count(received('a')), 'requests');
assert_same([' world', 11], [$pending->read(), $pending->received()], 'what came after that is still there');
assert_true($thrown === thrown_by(static fn() => $pending->wait()), 'the same object');

// Not read: tried again, and nothing of the first is in the second.
$pending = $client->start(new Request('GET', script('b', [$broken, ['body' => 'whole']])));
assert_same(['whole', 2], [($response = $pending->wait())->body, count($response->attempts)], 'not read');

// An empty read() handed nothing out.
$pending = $client->start(new Request('GET', script('c', [$broken, ['body' => 'whole']])));
assert_same('', $pending->read());
poll_until(static fn() => $pending->status() !== null, $pending);
assert_same('whole', $pending->wait()->body, 'an empty read');
done();
?>
--EXPECT--
done
