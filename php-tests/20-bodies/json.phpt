--TEST--
json is encoded by PHP's own json_encode and gets its type
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Money implements JsonSerializable
{
    public function jsonSerialize(): mixed { return ['cents' => 5]; }
}
enum Suit: string { case Hearts = 'H'; }

$url = script('a', [[]]);
$client = new RetryClient();
$bodies = [
    '{"a":1,"b":[true,null,1.5],"c":"é/ü"}' => ['a' => 1, 'b' => [true, null, 1.5], 'c' => 'é/ü'],
    '[{"cents":5},"H"]' => [new Money(), Suit::Hearts],
    '{"0":"x","2":"y"}' => [0 => 'x', 2 => 'y'],
    '[]' => [],
    '{}' => new stdClass(),
    '0' => 0,
    'false' => false,
    '""' => '',
    '0.1' => 0.1,
    '10.0' => 10.0,
];
foreach ($bodies as $value) {
    $client->post($url, json: $value);
}
$client->post($url, json: null);
foreach (received('a', 11) as $n => $entry) {
    $expected = $n < 10 ? (string) array_keys($bodies)[$n] : '';
    assert_same($expected === '10.0' ? json_encode(10.0) : $expected, body_of($entry), "body $n");
    assert_same($n < 10 ? 'application/json' : null, header_of($entry, 'Content-Type'), "type $n");
}
done();
?>
--EXPECT--
done
