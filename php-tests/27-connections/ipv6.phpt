--TEST--
An address of IPv6 is one like any other
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body' => 'x']]);
if (isset(server()['http6'])) {
    $url = str_replace(server('http'), server('http6'), $url);
    $response = (new RetryClient())->get($url);
    assert_same(['x', $url], [$response->body, $response->uri]);
    assert_same(substr(server('http6'), 7), header_of(received('a', 1)[0], 'Host'));
}
done();
?>
--EXPECT--
done
