--TEST--
Limits hold for started calls, and one that is held back holds no other back
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

(new RetryClient())->get(server('http') . '/status/200');
$client = new RetryClient(limit: '10/s', limitKey: uniqid());
$url = script('a', [['body' => 'x']]);
$pending = array_map(static fn() => $client->start(new Request('GET', $url)), range(1, 4));
$free = (new RetryClient())->start(new Request('GET', script('b', [['body' => 'free']])));
assert_between(0.0, 0.2, seconds(static fn() => $free->wait()->body, $body), 'one under no limit');
assert_same('free', $body);
assert_same(['x', 'x', 'x', 'x'], array_map(static fn($one) => $one->wait()->body, $pending));
foreach (gaps(received('a', 4)) as $gap) {
    assert_between(0.09, 0.4, $gap, 'gap');
}
assert_between(0.25, 0.6, max(array_map(static fn($one) => $one->wait()->waited, $pending)), 'waited');
done();
?>
--EXPECT--
done
