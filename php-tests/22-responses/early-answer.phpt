--TEST--
An answer that comes before the body was sent is taken
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 1);
$file = tmpfile();
ftruncate($file, 30_000_000);
foreach (['from memory' => str_repeat('x', 3_000_000), 'from a file' => $file] as $what => $body) {
    for ($i = 0; $i < 5; $i++) {
        $response = $client->post(script('a', [['read_body' => false, 'status' => 413, 'body' => 'too large', 'close' => true, 'end' => 'stall']]), body: $body);
        assert_same([413, 'too large'], [$response->status, $response->body], $what);
    }
}
assert_same('ok', $client->get(script('b', [['body' => 'ok']]))->body, 'the next call');
done();
?>
--EXPECT--
done
