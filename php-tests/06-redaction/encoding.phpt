--TEST--
What is encoded as JSON shows in no trace, though code of its objects runs
--EXTENSIONS--
retry_client
--INI--
zend.exception_ignore_args=0
--SKIPIF--
<?php
if (PHP_VERSION_ID < 80200) {
    die('skip sensitive parameters came with PHP 8.2');
}
?>
--FILE--
<?php
require __DIR__ . '/../support.php';

class Shows implements JsonSerializable
{
    public static string $stack = '';

    public function jsonSerialize(): mixed
    {
        ob_start();
        debug_print_backtrace();
        var_dump(debug_backtrace());
        self::$stack = ob_get_clean();
        throw new LogicException('not today');
    }
}

$client = new RetryClient();
$thrown = thrown_by(static fn() => $client->post('http://localhost/', json: ['password' => 's3cret', 'more' => new Shows()]), LogicException::class);
assert_same('not today', $thrown?->getMessage());
assert_contains('json_encode', Shows::$stack);
assert_not_contains('s3cret', Shows::$stack, 'the stack');
assert_not_contains('s3cret', print_r($thrown?->getTrace()[1] ?? null, true) . $thrown, 'the trace');
assert_not_contains('s3cret', print_r($thrown?->getTrace()[2] ?? null, true), 'the trace');
done();
?>
--EXPECT--
done
