--TEST--
Header bombs over HTTP/2 are too large
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), baseDelay: 0.0, jitter: 0.0);
foreach (['many' => ['count' => 300, 'size' => 10], 'large' => ['count' => 1, 'size' => 100_000]] as $what => $bomb) {
    $thrown = thrown_by(fn() => $client->get(script('a', [['header_bomb' => $bomb]], 'h2')), RetryClient\NetworkException::class);
    assert_same(['too-large', 1], [$thrown?->kind, count($thrown?->attempts ?? [])], $what);
}
assert_same(200, $client->get(script('b', [['header_bomb' => ['count' => 100, 'size' => 100]]], 'h2'))->status, 'within the limits');
done();
?>
--EXPECT--
done
