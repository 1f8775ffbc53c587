--TEST--
Too many or too large headers are a failure that is not tried again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$lines = fn(int $count, int $size) => ['header_bomb' => ['count' => $count, 'size' => $size], 'body' => 'ok'];
// Content-Length is one more.
assert_same('ok', $client->get(script('a', [$lines(199, 10)]))->body, '200 lines');
assert_same('ok', $client->get(script('a', [$lines(1, 64_000)]))->body, 'nearly 64 KiB');
foreach (['201 lines' => $lines(200, 10), '1000 lines' => $lines(1000, 100), 'more than 64 KiB' => $lines(1, 66_000), 'a megabyte' => $lines(1, 1_000_000), 'without end' => ['header_bomb' => ['endless' => true]]] as $what => $step) {
    $thrown = thrown_by(fn() => $client->get(script('a', [$step, ['body' => 'again']])), RetryClient\NetworkException::class);
    assert_same(['too-large', 1], [$thrown?->kind, count($thrown?->attempts ?? [])], $what);
    assert_same('not-retryable', $thrown->attempts[0]->reason->value, "$what: reason");
}
assert_same('ok', $client->get(script('b', [['body' => 'ok']]))->body, 'the next call');
done();
?>
--EXPECT--
done
