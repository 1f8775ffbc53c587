--TEST--
Clients, copies and responses that are gone leave nothing behind
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body' => 'x']]);
$round = function () use ($url): void {
    $client = null;
    $client = new RetryClient($url, headers: ['X' => str_repeat('x', 100)], onRetry: function () use (&$client) { return $client; });
    $response = $client->with(maxAttempts: 2)->with(budget: 5.0)->get('?x=1');
    $request = new RetryClient\Request('GET', $url, headers: ['X' => '1']);
    $client->sendRequest($request);
    clone $response;
};
for ($i = 0; $i < 100; $i++) {
    $round();
}
gc_collect_cycles();
$before = memory_get_usage();
for ($i = 0; $i < 300; $i++) {
    $round();
}
gc_collect_cycles();
assert_between(0, 4_000, max(0, memory_get_usage() - $before), 'bytes');
done();
?>
--EXPECT--
done
