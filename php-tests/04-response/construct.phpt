--TEST--
Response: every argument has a default, headers are brought into one form
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, Response};

assert_same([
    'status' => 200, 'reasonPhrase' => '', 'protocol' => '1.1', 'headers' => [], 'body' => '', 'uri' => '',
    'attempts' => [], 'waited' => 0.0, 'elapsed' => 0.0, 'retryAfter' => null,
], get_object_vars(new Response()), 'defaults');

$attempts = [new Attempt(), new Attempt(number: 2)];
$given = [
    'status' => 429, 'reasonPhrase' => "Slow \xff", 'protocol' => '2', 'headers' => ['a' => ['b']], 'body' => "bytes \0\xff", 'uri' => 'http://a.test/',
    'attempts' => $attempts, 'waited' => 1.5, 'elapsed' => 2.5, 'retryAfter' => 3.5,
];
assert_same($given, get_object_vars(new Response(...$given)), 'by name');
assert_same($given, get_object_vars(new Response(...array_values($given))), 'by position');
assert_same([100, 999], [(new Response(status: 100))->status, (new Response(status: 999))->status], 'bounds');
assert_same([7.0, 0.0], [(new Response(waited: 7))->waited, (new Response(retryAfter: 0))->retryAfter], 'int to float');

$text = new class { public function __toString(): string { return 'text'; } };
foreach ([
    [['Content-Type' => 'a/b'], ['content-type' => ['a/b']]],
    [['X' => ['b', 'c'], 'x' => 'd'], ['x' => ['b', 'c', 'd']]],
    [['X' => 5, 'Y' => 1.5, 'Z' => $text], ['x' => ['5'], 'y' => ['1.5'], 'z' => ['text']]],
    [['X' => []], ['x' => []]],
    [['X' => ['key' => 'v', 7 => 'w']], ['x' => ['v', 'w']]],
    [[5 => 'five'], [5 => ['five']]],
    [["X-\xC4" => "\xff\n"], ["x-\xC4" => ["\xff\n"]]],
] as [$headers, $expected]) {
    assert_same($expected, (new Response(headers: $headers))->headers, json_encode($expected, JSON_PARTIAL_OUTPUT_ON_ERROR));
}
done();
?>
--EXPECT--
done
