--TEST--
A URI that is too long and headers that are too many are refused
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$fake = new FakeClient(static fn() => new Response());
$long = 'RetryClient\FakeClient::get(): Argument #1 ($uri) must not be longer than 65534 bytes, its query included';
$least = strlen('http://a.test/?q=');
assert_same(200, $fake->get('http://a.test/', query: ['q' => str_repeat('x', 65534 - $least)])->status, 'just fits');
assert_throws(ValueError::class, $long, static fn() => $fake->get('http://a.test/', query: ['q' => str_repeat('x', 65535 - $least)]));
assert_throws(ValueError::class, $long, static fn() => $fake->get('http://a.test/?q=' . str_repeat('x', 65535 - $least)));
assert_throws(ValueError::class, $long, static fn() => $fake->get('http://a.test/' . str_repeat("\u{e4}", 12000)));
// And what just fits can be sent.
$url = script('a', [[]]);
$query = str_repeat('x', 65534 - strlen("$url?"));
assert_same(200, (new RetryClient())->get("$url?$query")->status);
assert_same(strlen("?$query"), strlen(received('a', 1)[0]['target']) - strlen('/' . script_name('a')));

$headers = static function (string $prefix, int $count): array {
    $names = [];
    for ($i = 0; $i < $count; $i++) {
        $names["$prefix-$i"] = 'v';
    }
    return $names;
};
$many = 'must not have that many headers';
assert_throws(ValueError::class, "RetryClient::__construct(): Argument #2 (\$headers) $many", static fn() => new RetryClient(headers: $headers('X', 40_000)));
assert_throws(ValueError::class, "RetryClient\\FakeClient::get(): Argument #2 (\$headers) $many", static fn() => $fake->get('http://a.test/', $headers('X', 40_000)));
// Both together, too: none is left out.
$half = $fake->with(headers: $headers('X', 20_000));
assert_throws(ValueError::class, "RetryClient\\FakeClient::get(): Argument #2 (\$headers) $many", static fn() => $half->get('http://a.test/', $headers('Y', 20_000)));
assert_same(200, $half->get('http://a.test/', $headers('X', 20_000))->status, 'replaced');
done();
?>
--EXPECT--
done
