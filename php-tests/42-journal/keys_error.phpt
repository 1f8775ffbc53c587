--TEST--
With a journal a key is int|string and comes once
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$folder = folder();
$request = new Request('GET', 'http://a.test/');
foreach ([new stdClass(), 1.5, null, [], true] as $key) {
    $file = "$folder/" . get_debug_type($key);
    $input = (static function () use ($key, $request) { yield 'good' => $request; yield $key => $request; yield 'never' => $request; })();
    $got = [];
    $thrown = thrown_by(static function () use ($input, $file, &$got) {
        foreach ((new FakeClient(static fn() => new Response()))->sendAll($input, journal: $file) as $key => $response) {
            $got[] = $key;
        }
    }, ValueError::class);
    assert_same(['good'], $got, 'before a key of type ' . get_debug_type($key));
    assert_contains('key', (string) $thrown?->getMessage());
    assert_same(2, count(file($file)), 'what is there is kept');
}
// Twice in the input, new or journaled.
$twice = static function () use ($request) { yield 'a' => $request; yield 'twice' => $request; yield 'b' => $request; yield 'twice' => $request; yield 'never' => $request; };
for ($run = 0; $run < 2; $run++) {
    $got = [];
    $thrown = thrown_by(static function () use ($twice, $folder, &$got) {
        foreach ((new FakeClient(static fn() => new Response()))->sendAll($twice(), journal: "$folder/twice") as $key => $response) {
            $got[] = $key;
        }
    }, ValueError::class);
    assert_same(['a', 'twice', 'b'], $got, "run $run: before it");
    assert_contains('twice', (string) $thrown?->getMessage(), "run $run: the message names it");
}
// With the real client too: those in flight are handed over first.
$url = script('a', [['body' => 'x', 'delay_ms' => 200]]);
$input = static function () use ($url) { yield 'a' => new Request('GET', $url); yield 'b' => new Request('GET', $url); yield 'a' => new Request('GET', $url); };
$got = [];
thrown_by(static function () use ($input, $folder, &$got) {
    foreach ((new RetryClient())->sendAll($input(), 5, journal: "$folder/real") as $key => $response) {
        $got[] = $key;
    }
}, ValueError::class);
sort($got);
assert_same([['a', 'b'], 2], [$got, count(received('a'))], 'the real client');
done();
?>
--EXPECT--
done
