--TEST--
A file that is no journal, or one with a damaged line: ValueError at once, and the file stays as it is
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$folder = folder();
$requests = ['a' => new Request('GET', 'http://a.test/a'), 'b' => new Request('GET', 'http://a.test/b'), 'c' => new Request('GET', 'http://a.test/c')];
iterator_to_array((new FakeClient(static fn() => new Response(body: 'x')))->sendAll($requests, journal: "$folder/whole"));
$lines = file("$folder/whole");
assert_same(4, count($lines), 'lines');

$refused = static function (string $text, ?int $line, string $what) use ($folder, $requests): void {
    file_put_contents("$folder/j", $text);
    $client = new FakeClient([]);
    $thrown = thrown_by(static fn() => $client->sendAll($requests, journal: "$folder/j"), ValueError::class);
    $line === null || assert_same(1, preg_match("/line $line\\b/", (string) $thrown?->getMessage()), "$what: the line is named: " . $thrown?->getMessage());
    assert_contains('RetryClient\FakeClient::sendAll(): Argument #5 ($journal)', (string) $thrown?->getMessage(), $what);
    assert_same([$text, []], [file_get_contents("$folder/j"), $client->requests()], "$what: nothing is changed or sent");
};
foreach (["\n", "{}\n", "[]\n", "null\n", "not JSON\n", "{\"key\":\"b\"}\n", substr($lines[2], 5), strrev(trim($lines[2])) . "\n", "\0\0\0\0\n"] as $number => $bad) {
    $refused($lines[0] . $lines[1] . $bad . $lines[3], 3, "damage $number in the middle");
    $refused($lines[0] . $lines[1] . $lines[2] . $bad, 4, "damage $number at the end");
}
// Another file.
$refused("# My notes\nof the day\n", 1, 'a text');
$refused("{\"id\":1}\n{\"id\":2}\n", 1, 'other JSON lines');
$refused($lines[1] . $lines[2], 1, 'without the first line');
$refused("\x7fELF\n\0\0\n", 1, 'a program');
$refused("<?php\n", 1, 'a script');
// One line without an end is no half-written journal unless a journal begins so.
$refused('My only copy of a note', 1, 'a note');
done();
?>
--EXPECT--
done
