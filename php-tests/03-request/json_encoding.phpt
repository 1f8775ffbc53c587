--TEST--
json: what PHP's json_encode makes of it, slashes and Unicode unescaped
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

enum Suit: string { case Hearts = 'H'; }
final class Money implements JsonSerializable
{
    public function jsonSerialize(): mixed { return ['eur' => 5]; }
}
final class Point { public int $x = 1; protected int $hidden = 2; }

$url = script('a', [[]]);
$client = new RetryClient();
foreach ([
    ['a/b ü €', '"a/b ü €"'],
    [['x' => 1.0, 'y' => 0.1, 'z' => 1e100], '{"x":1,"y":0.1,"z":1.0e+100}'],
    [[1, 'two', null, true], '[1,"two",null,true]'],
    [[1 => 'a'], '{"1":"a"}'],
    [new Money(), '{"eur":5}'],
    [[Suit::Hearts], '["H"]'],
    [new Point(), '{"x":1}'],
    [PHP_INT_MAX, '9223372036854775807'],
    ["\u{2028}\"\\\n", '"\u2028\"\\\\\n"'],
    [new RetryClient\Response(body: 'x'), json_encode(new RetryClient\Response(body: 'x'), JSON_UNESCAPED_SLASHES)],
] as $number => [$value, $expected]) {
    $client->post($url, json: $value);
    assert_same($expected, body_of(received('a', $number + 1)[$number]));
}
done();
?>
--EXPECT--
done
