--TEST--
A started call stays its process's own
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';
require __DIR__ . '/../signals.php';

use RetryClient\Request;

$client = new RetryClient(maxAttempts: 1);
$pending = $client->start(new Request('GET', script('a', [['body' => 'parent', 'delay_ms' => 400]])));
$pending->wait(0.1);
$own = script('b', [['body' => 'child']]);
$child = child(static function () use (&$pending, $client, $own): void {
    assert_same('child', $client->get($own)->body, 'a call of the child');
    $pending->cancel();
    $pending = null;
});
assert_same('parent', $pending->wait()->body);
joined($child);
assert_same([1, null], [count(received('a')), received('a')[0]['left_ns']], 'the parent\'s connection');
done();
?>
--EXPECT--
done
