<?php
// Calls beside others: waited for, cancelled, and left behind at the end of the request.
require __DIR__ . '/../../support.php';

use RetryClient\Request;

$client = new RetryClient();
$pending = [];
for ($i = 0; $i < 5; $i++) {
    $pending[] = $client->start(new Request('GET', server('http') . "/delay/20?body=$thread-$i"));
}
$cancelled = $client->start(new Request('GET', script('a', [['action' => 'stall']])));
foreach ($pending as $i => $one) {
    assert_same("$thread-$i", $one->wait()->body);
}
$cancelled->cancel();
$left = $client->start(new Request('GET', script('b', [['action' => 'stall']])));
assert_same(1, count(received('b', 1)), 'on its way');
done();
