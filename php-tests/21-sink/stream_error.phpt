--TEST--
A stream that cannot be a sink is refused before anything is sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
$closed = tmpfile();
fclose($closed);
$refused = fn(mixed $sink, string $class) => thrown_by(fn() => $client->get($url, sink: $sink), $class)?->getMessage();
assert_same('RetryClient::get(): Argument #8 ($sink) must be an open stream resource', $refused($closed, TypeError::class));
assert_same('RetryClient::get(): Argument #8 ($sink) must be an open stream resource', $refused(stream_context_create(), TypeError::class));
assert_same('RetryClient::get(): Argument #8 ($sink) must be a writable stream', $refused(fopen(__FILE__, 'r'), ValueError::class));
foreach ([5, [], new stdClass(), true] as $sink) {
    assert_contains('must be of type string, resource or null, ', $refused($sink, TypeError::class));
}
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
