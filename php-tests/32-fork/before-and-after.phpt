--TEST--
A child has connections of its own, and its parent keeps its own
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

foreach (['http', 'https', 'h2'] as $on) {
    $url = script($on, [['body' => 'ok']], $on);
    $client = new RetryClient(verify: server('ca'), maxAttempts: 1);
    $client->get("$url/parent");
    $child = child(function () use ($client, $url) {
        assert_same('ok', $client->get("$url/child")->body, 'child');
        assert_same('ok', (new RetryClient(verify: server('ca')))->get("$url/child")->body, 'child, a client of its own');
    });
    $client->get("$url/parent");
    joined($child);
    $client->get("$url/parent");
    $by = ['parent' => [], 'child' => []];
    foreach (received($on, 5) as $entry) {
        $by[basename($entry['target'])][] = $entry['connection'];
    }
    assert_same([3, 2], [count($by['parent']), count($by['child'])], "$on: requests");
    assert_same([1, 1], [count(array_unique($by['parent'])), count(array_unique($by['child']))], "$on: connections");
    assert_same([], array_intersect($by['parent'], $by['child']), "$on: shared");
}
done();
?>
--EXPECT--
done
