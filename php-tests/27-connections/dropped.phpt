--TEST--
After an answer that was not read whole its connection is not used again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 1, maxBodySize: 100);
$url = script('a', [['body_repeat' => ['x', 10_000_000]], ['body' => 'ok']]);
assert_same('too-large', thrown_by(fn() => $client->get($url))?->kind);
assert_same('ok', $client->get($url)->body, 'the next call');
assert_same(2, count(array_unique(array_column(received('a', 2), 'connection'))));
done();
?>
--EXPECT--
done
