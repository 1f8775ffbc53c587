--TEST--
sendAll(): keys of any type
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$url = script('a', [['action' => 'echo']]);
$object = new stdClass();
$closure = static fn() => 1;
$keys = [null, true, false, 1.5, NAN, $object, $closure, [1, ['x' => 2]], 'text', "bytes \xff\0", '', 7, -1, 'same', 'same', 0, '0', PHP_INT_MAX];
$input = (static function () use ($keys, $url) {
    foreach ($keys as $number => $key) {
        yield $key => new Request('GET', "$url?n=$number");
    }
})();
$got = [];
foreach ((new RetryClient())->sendAll($input) as $key => $response) {
    $got[(int) substr($response->json()['query'], 2)] = $key;
}
ksort($got);
assert_same(count($keys), count($got), 'results');
foreach ($keys as $number => $key) {
    is_float($key) && is_nan($key)
        ? assert_true(is_float($got[$number]) && is_nan($got[$number]), 'NAN')
        : assert_same($key, $got[$number], "key $number");
}
// A key is not shared with the input: changing an array afterwards does not change it.
$key = ['k' => 1];
$responses = (new RetryClient())->sendAll((static function () use (&$key, $url) { yield $key => new Request('GET', $url); })());
$responses->valid();
$key['k'] = 2;
assert_same(['k' => 1], $responses->key());
done();
?>
--EXPECT--
done
