--TEST--
lines() and events(): a line over 16 MiB is too large
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\NetworkException;

$client = new RetryClient();
$long = 16 * 1024 * 1024;
foreach (['lines' => 'x', 'events' => 'x'] as $method => $unit) {
    $url = script('a', [['body_repeat' => [$unit, 4 * $long]]]);
    $before = resident();
    $stream = $client->stream('GET', $url);
    $thrown = thrown_by(static function () use ($stream, $method) {
        foreach ($stream->$method() as $one) {
            fail('nothing comes');
        }
    }, NetworkException::class);
    assert_same(['too-large', 1], [$thrown?->kind, count(received('a'))], $method);
    assert_between($long, 2 * $long, $stream->received(), "$method: bytes until it was refused");
    assert_between(0, 6 * $long, max(0, resident() - $before), "$method: bytes resident");
    unset($stream);
    abandoned('a', 1);
}
// What came before is handed over.
$got = [];
$stream = $client->stream('GET', script('b', [['body' => "first\nsecond\n" . str_repeat('x', $long + 1)]]));
$thrown = thrown_by(static function () use ($stream, &$got) {
    foreach ($stream->lines() as $line) {
        $got[] = $line;
    }
}, NetworkException::class);
assert_same([['first', 'second'], 'too-large'], [$got, $thrown?->kind]);
done();
?>
--EXPECT--
done
