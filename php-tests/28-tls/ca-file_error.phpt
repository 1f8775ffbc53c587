--TEST--
A CA file that cannot be used is refused by the constructor
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
file_put_contents("$folder/empty", '');
file_put_contents("$folder/text", 'no certificate');
foreach (["$folder/none", "$folder/empty", "$folder/text", $folder] as $path) {
    $thrown = thrown_by(fn() => new RetryClient(verify: $path), ValueError::class);
    assert_same('RetryClient::__construct(): Argument #22 ($verify) must be a readable PEM file with CA certificates', $thrown?->getMessage(), $path);
}
done();
?>
--EXPECT--
done
