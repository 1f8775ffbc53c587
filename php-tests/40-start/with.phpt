--TEST--
with(...)->start(): options for one call
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, maxAttempts: 1, headers: ['X-Client' => 'yes'], throwOnGiveUp: false);
$a = $client->with(maxAttempts: 3)->start(apart(script('a', [['status' => 503]])));
$b = $client->start(apart(script('b', [['status' => 503]])));
$c = $client->with(headers: ['X-Own' => '1'], timeout: 0.2)->start(new Request('GET', script('c', [['action' => 'stall']])));
script('d', [['body' => 'd']]);
$d = $client->with(baseUri: server('http'))->start(new Request('GET', script_name('d')));
assert_same([3, 1], [count($a->wait()->attempts), count($b->wait()->attempts)]);
assert_same('timeout', thrown_by(static fn() => $c->wait(), RetryClient\NetworkException::class)?->kind);
assert_same([3, 1, 1], [count(received('a')), count(received('b')), count(received('c'))], 'requests');
assert_same(['1', 'yes'], [header_of(received('c')[0], 'X-Own'), header_of(received('b')[0], 'X-Client')], 'headers');
assert_same('d', $d->wait()->body, 'baseUri');
// A sink.
$file = folder() . '/sink';
$pending = $client->start(new Request('GET', script('e', [['body' => 'into a file']]), sink: $file));
assert_same(['', 'into a file'], [$pending->wait()->body, file_get_contents($file)], 'sink');
done();
?>
--EXPECT--
done
