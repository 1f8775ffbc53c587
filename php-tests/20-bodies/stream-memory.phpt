--TEST--
php://memory and php://temp are sent from their position on and left there
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

foreach (['php://memory', 'php://temp', 'php://temp/maxmemory:10'] as $n => $name) {
    $url = script("$n", [['status' => 502], []]);
    $stream = fopen($name, 'w+');
    fwrite($stream, 'some text that is longer');
    fseek($stream, 5);
    (new RetryClient(baseDelay: 0.0, jitter: 0.0))->put($url, body: $stream);
    assert_same(array_fill(0, 2, 'text that is longer'), array_map(body_of(...), received("$n", 2)), $name);
    assert_same(5, ftell($stream), "$name: position");
    assert_same('text', fread($stream, 4), "$name: read after");
}
done();
?>
--EXPECT--
done
