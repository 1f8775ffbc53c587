--TEST--
Headers arrive byte for byte, several lines as several lines
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient(headers: ['X-Default' => 'd', 'X-Both' => 'client', 'X-List' => ['1', '2']]);
$latin = implode(array_map(chr(...), [9, 32, ...range(33, 126), ...range(128, 255)]));
$client->get($url, ['X-Bytes' => "a{$latin}z", 'X-Lines' => ['a, b', 'c', ''], 'x-both' => 'call', 'X-Empty' => '', 'X-Number' => 5, 'X-Float' => 1.5]);

[$entry] = received('a', 1);
// The log shows each byte as the character of its number.
$shown = preg_replace_callback('/[\x80-\xff]/', fn($m) => chr(0xc0 | ord($m[0]) >> 6) . chr(0x80 | ord($m[0]) & 0x3f), "a{$latin}z");
assert_same($shown, header_of($entry, 'X-Bytes'), 'bytes');
assert_same(['a, b', 'c', ''], header_of($entry, 'X-Lines'), 'lines');
assert_same(['d', 'call', ['1', '2']], array_map(fn($n) => header_of($entry, $n), ['X-Default', 'X-Both', 'X-List']), 'defaults');
assert_same(['', '5', '1.5'], array_map(fn($n) => header_of($entry, $n), ['X-Empty', 'X-Number', 'X-Float']), 'kinds of values');
done();
?>
--EXPECT--
done
