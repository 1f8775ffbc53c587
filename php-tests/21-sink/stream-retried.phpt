--TEST--
After a broken body the stream is cut back, and gets the next one whole
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$steps = [['action' => 'half', 'body' => 'the first body', 'headers' => [['X', '1']]], ['action' => 'half', 'body' => 'the second'], ['body' => 'good']];
$path = folder() . '/out';
foreach (['php://memory' => 'w+', 'php://temp' => 'w+', $path => 'w+', "$path.2" => 'a+'] as $name => $mode) {
    $stream = fopen($name, $mode);
    fwrite($stream, 'before ');
    $response = $client->get(script('a', $steps), sink: $stream);
    assert_same(3, count($response->attempts), "$name: attempts");
    fwrite($stream, ' after');
    rewind($stream);
    assert_same('before good after', stream_get_contents($stream), $name);
}
done();
?>
--EXPECT--
done
