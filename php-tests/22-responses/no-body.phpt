--TEST--
HEAD, 204 and 304 have no body, whatever their headers say, and the connection goes on
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [
    ['headers' => [['Content-Length', '1000']]],
    ['headers' => [['Content-Encoding', 'gzip'], ['Transfer-Encoding', 'chunked']]],
    ['status' => 204, 'headers' => [['Content-Encoding', 'br']]],
    ['status' => 304, 'headers' => [['ETag', '"x"'], ['Content-Length', '1000'], ['Content-Encoding', 'zstd']]],
    ['body' => 'after'],
]);
$client = new RetryClient();
$head = $client->head($url);
assert_same([200, '', '1000'], [$head->status, $head->body, $head->header('Content-Length')], 'HEAD');
assert_same('', $client->head($url)->body, 'HEAD of a compressed one');
assert_same([204, ''], [($r = $client->get($url))->status, $r->body], '204');
assert_same([304, '', '"x"'], [($r = $client->get($url, ['If-None-Match' => '"x"']))->status, $r->body, $r->header('etag')], '304');
assert_same('after', $client->get($url)->body, 'the next');
assert_same(1, count(array_unique(array_column(received('a', 5), 'connection'))), 'connections');
done();
?>
--EXPECT--
done
