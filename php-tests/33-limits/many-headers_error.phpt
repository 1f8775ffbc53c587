--TEST--
More header names than any map holds are refused
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

for ($i = 0; $i < 40_000; $i++) {
    $many["X-$i"] = '1';
}
$thrown = thrown_by(fn() => (new RetryClient())->get(server('http'), $many), ValueError::class);
assert_same('RetryClient::get(): Argument #2 ($headers) must not have that many headers', $thrown?->getMessage());
done();
?>
--EXPECT--
done
