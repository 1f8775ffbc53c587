--TEST--
A coding nobody knows is left alone, and an empty body is not decoded
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$unknown = $client->get(script('a', [['body' => 'x', 'headers' => [['Content-Encoding', 'rot13']]]]));
assert_same(['x', 'rot13', '1'], [$unknown->body, $unknown->header('content-encoding'), $unknown->header('content-length')], 'unknown');
foreach (['gzip', 'br', 'zstd', 'deflate'] as $coding) {
    $empty = $client->get(script('a', [['headers' => [['Content-Encoding', $coding]]]]));
    assert_same([200, ''], [$empty->status, $empty->body], "$coding: empty");
}
$identity = $client->get(script('a', [['body' => 'x', 'headers' => [['Content-Encoding', 'identity']]]]));
assert_same('x', $identity->body, 'identity');
done();
?>
--EXPECT--
done
