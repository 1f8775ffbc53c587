--TEST--
A body that is closed before the next attempt is sent whole all the same
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
file_put_contents("$folder/a", 'from a file');
foreach (['file' => "$folder/a", 'memory' => 'php://memory'] as $name => $path) {
    $stream = fopen($path, $name === 'file' ? 'r' : 'w+');
    $name === 'memory' && fwrite($stream, 'from a file') && rewind($stream);
    $client = new RetryClient(baseDelay: 0.0, jitter: 0.0, onRetry: function () use (&$stream) { fclose($stream); });
    assert_same(200, $client->post(script($name, [['status' => 503], []]), body: $stream)->status, $name);
    assert_same(array_fill(0, 2, 'from a file'), array_map(body_of(...), received($name, 2)), $name);
}
done();
?>
--EXPECT--
done
