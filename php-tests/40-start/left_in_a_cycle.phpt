--TEST--
Calls that are left at the end of the script in cycles with their requests and hooks: nothing of them is left behind
--DESCRIPTION--
A debug build of PHP tells at the end which memory was not freed.
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

final class Body
{
    public mixed $pending = null;
    public string $gone = '';
    public function __destruct() { $this->gone = 'gone'; }
    public function __toString(): string { return 'body'; }
}
$weak = [];
foreach (['in an attempt' => ['action' => 'stall'], 'in a wait' => ['status' => 503]] as $what => $step) {
    $body = new Body();
    $client = new RetryClient(baseDelay: 30.0, onAttempt: static function () use ($body) {}, onRetry: static function () {});
    $body->pending = $client->start(new Request('PUT', script('a' . count($weak), [$step]), body: $body));
    $weak[$what] = WeakReference::create($body);
    unset($body, $client);
}
(new RetryClient())->get(server('http') . '/delay/200');    // they move on meanwhile
assert_same([1, 1], [count(received('a0')), count(received('a1'))], 'requests');
// The collector meets them in flight, and takes them off its list.
assert_same(0, gc_collect_cycles(), 'collected in flight');
foreach ($weak as $what => $reference) {
    assert_same('', $reference->get()?->gone, $what);
}
done();
?>
--EXPECT--
done
