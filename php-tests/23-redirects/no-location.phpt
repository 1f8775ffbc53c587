--TEST--
A 3xx without a valid Location, or of another kind, is an answer
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
foreach ([
    'none' => ['status' => 302, 'body' => 'b'],
    'empty' => ['action' => 'redirect', 'location' => '', 'body' => 'b'],
    'no host' => ['action' => 'redirect', 'location' => 'http://', 'body' => 'b'],
    'no port' => ['action' => 'redirect', 'location' => 'http://h:99999/', 'body' => 'b'],
    '300' => ['status' => 300, 'location' => '/x', 'body' => 'b'],
    '305' => ['status' => 305, 'location' => '/x', 'body' => 'b'],
    '201' => ['status' => 201, 'location' => '/x', 'body' => 'b'],
] as $what => $step) {
    $response = $client->get(script('a', [$step]));
    assert_same([$step['status'] ?? 302, 'b'], [$response->status, $response->body], $what);
}
done();
?>
--EXPECT--
done
