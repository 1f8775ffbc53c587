--TEST--
cost: what a request takes from a limit
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient(limit: '10/s burst 5');
$paced = static fn(?float $cost) => $GLOBALS['client']->get($url, cost: $cost)->attempts[0]->paced;
assert_same(0.0, $paced(4.0), 'four of five');
assert_between(0.0, 0.06, $paced(null), 'one more');
assert_between(0.2, 0.35, $paced(3.0), 'three more');
assert_between(0.01, 0.15, $paced(0.5) + $paced(0.5), 'two halves');
usleep(550_000);
assert_between(0.0, 0.06, $paced(5), 'the whole burst');
$paced(null);
$request = new RetryClient\Request('GET', $url, cost: 2.0);
assert_between(0.12, 0.3, $client->sendRequest($request)->attempts[0]->paced, 'of a Request');

// A window counts costs, too; what may be under way at once is counted in requests.
$client = new RetryClient(limit: '6 per 500ms, 1 at once');
assert_same([0.0, 0.0], [$paced(3.5), $paced(2.0)], 'six in a window, which counts whole costs');
assert_between(0.3, 0.6, $paced(1.0), 'the seventh');
done();
?>
--EXPECT--
done
