--TEST--
A body as large as maxBodySize is taken, one byte more is not
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxBodySize: 100_000, maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
foreach (['with a length' => [], 'in chunks' => ['chunked' => true], 'to the end of the connection' => ['content_length' => false], 'compressed' => ['encoding' => 'gzip']] as $what => $more) {
    assert_same(100_000, strlen($client->get(script('a', [['body_repeat' => ['x', 100_000], ...$more]]))->body), "$what: just");
    $thrown = thrown_by(fn() => $client->get(script('a', [['body_repeat' => ['x', 100_001], ...$more]])), RetryClient\NetworkException::class);
    assert_same(['too-large', 1], [$thrown?->kind, count($thrown?->attempts ?? [])], "$what: over");
}
assert_same('too-large', thrown_by(fn() => $client->get(script('a', [['action' => 'endless']])))?->kind, 'without end');
assert_same('too-large', thrown_by(fn() => $client->get(script('a', [['status' => 500, 'body_repeat' => ['x', 200_000]]])))?->kind, 'the last of several');
done();
?>
--EXPECT--
done
