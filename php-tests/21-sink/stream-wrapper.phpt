--TEST--
A stream of a user's wrapper is written through the wrapper
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Collecting
{
    public $context;
    public static string $got = '';
    public static int $take = PHP_INT_MAX;
    public function stream_open(): bool { return true; }
    public function stream_write(string $bytes): int { $bytes = substr($bytes, 0, self::$take); self::$got .= $bytes; return strlen($bytes); }
    public function stream_close(): void { self::$got .= '|'; }
}
stream_wrapper_register('collect', Collecting::class);
$url = script('a', [['body_repeat' => ['0123456789', 5_000]]]);
foreach ([PHP_INT_MAX, 7] as Collecting::$take) {
    Collecting::$got = '';
    $stream = fopen('collect://', 'w');
    (new RetryClient())->get($url, sink: $stream);
    assert_same(str_repeat('0123456789', 5_000), Collecting::$got, 'takes ' . Collecting::$take);
    fclose($stream);
}
done();
?>
--EXPECT--
done
