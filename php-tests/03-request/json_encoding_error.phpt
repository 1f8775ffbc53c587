--TEST--
json: what cannot be encoded is a JsonException, and nothing is sent
--EXTENSIONS--
retry_client
--INI--
zend.exception_ignore_args=0
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Throwing implements JsonSerializable
{
    public function jsonSerialize(): mixed { throw new LogicException('not now', 7); }
}

$client = new RetryClient();
$url = script('a', [[]]);
$deep = [];
for ($i = 0; $i < 512; $i++) {
    $deep = [$deep];
}
$endless = [];
$endless[] = &$endless;
foreach ([
    [INF, JSON_ERROR_INF_OR_NAN], [[NAN], JSON_ERROR_INF_OR_NAN], ["\xff", JSON_ERROR_UTF8], [STDIN, JSON_ERROR_UNSUPPORTED_TYPE],
    [$deep, JSON_ERROR_DEPTH], [$endless, JSON_ERROR_RECURSION],
] as [$value, $code]) {
    $thrown = thrown_by(static fn() => $client->post($url, json: $value), JsonException::class);
    try {
        json_encode($value, JSON_THROW_ON_ERROR);
    } catch (JsonException $expected) {
    }
    assert_same([$expected->getMessage(), $code], [$thrown->getMessage(), $thrown->getCode()]);
    assert_same([__FILE__, 'post', RetryClient::class], [$thrown->getFile(), $thrown->getTrace()[0]['function'], $thrown->getTrace()[0]['class']], 'thrown from the call');
}
assert_throws(LogicException::class, 'not now', static fn() => $client->post($url, json: ['a' => new Throwing()]));
assert_same(0, count(received('a')), 'nothing was sent');
assert_same('No error', json_last_error_msg(), 'the last error of json_encode is as it was');
done();
?>
--EXPECT--
done
