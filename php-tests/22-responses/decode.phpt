--TEST--
Content codings are undone, and their headers taken out
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
foreach (['gzip', 'br', 'zstd', 'deflate'] as $coding) {
    foreach ([false, true] as $chunked) {
        $response = $client->get(script('a', [['body_repeat' => ['hello ', 10_000], 'encoding' => $coding, 'chunked' => $chunked, 'headers' => [['X-Kept', '1']]]]));
        assert_same(str_repeat('hello ', 10_000), $response->body, $coding);
        assert_same([null, null, '1'], array_map($response->header(...), ['content-encoding', 'content-length', 'x-kept']), "$coding: headers");
    }
}
foreach (['GZIP', 'x-gzip', 'X-Gzip'] as $name) {
    $response = $client->get(script('a', [['body' => 'hello', 'encoding' => 'gzip', 'headers' => [['Content-Encoding', $name]]]]));
    assert_same(['hello', null], [$response->body, $response->header('content-encoding')], $name);
}
done();
?>
--EXPECT--
done
