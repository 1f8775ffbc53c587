--TEST--
A Retry-After that one PHP met holds back another through the file they share
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$get = <<<'PHP'
    $client = new RetryClient(maxAttempts: 1, throwOnGiveUp: false, headers: ['Authorization' => 'Bearer one']);
    $response = $client->get($argv[1]);
    echo json_encode(['status' => $response->status, 'paced' => $response->attempts[0]->paced, 'stats' => RetryClient::stats()]);
    PHP;
$folder = folder();
mkdir("$folder/states");
foreach (['file' => "$folder/state", 'folder' => "$folder/states"] as $name => $where) {
    $url = script($name, [['status' => 429, 'headers' => [['Retry-After', '1']]], []]);
    $say = static fn(string $at) => php_says(['retry_client.shared_memory' => $at], $get, $url);
    $first = $say($where);
    $firstKey = key_of(null, $first['stats']);
    assert_same([429, 1], [$first['status'], $firstKey['refused']], "$name: the first PHP");
    assert_between(0.5, 1.0, $firstKey['opensIn'] ?? 0.0, "$name: opensIn");
    $second = $say($where);
    $secondKey = key_of(null, $second['stats']);
    assert_same(200, $second['status'], "$name: the second PHP");
    assert_between(1.0, 1.4, gaps(received($name, 2))[0], "$name: gap");
    assert_between(0.3, 1.0, $second['paced'], "$name: paced");
    assert_same([2, 1, 1], [$secondKey['sent'], $secondKey['accepted'], $secondKey['refused']], "$name: counted together");
}
// Another file, another knowledge.
$url = script('apart', [['status' => 429, 'headers' => [['Retry-After', '5']]], []]);
$say = static fn(string $at) => php_says(['retry_client.shared_memory' => $at], $get, $url);
assert_same([429, 200], [$say("$folder/one")['status'], $say("$folder/two")['status']]);
assert_between(0.0, 1.0, gaps(received('apart', 2))[0], 'apart');
done();
?>
--EXPECT--
done
