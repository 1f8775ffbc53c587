--TEST--
A stream of a user's wrapper is read through the wrapper and left where it was if it can seek
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

class Letters
{
    public $context;
    protected int $at = 0;
    public static int $closed = 0;
    public function stream_open(): bool { return true; }
    public function stream_read(int $count): string { return substr(str_repeat('0123456789', 10_000), ($this->at += 500) - 500, 500); }
    public function stream_eof(): bool { return $this->at >= 100_000; }
    public function stream_stat(): array { return []; }
    public function stream_close(): void { self::$closed++; }
}
class Seekable extends Letters
{
    public function stream_seek(int $offset): bool { $this->at = $offset; return true; }
    public function stream_tell(): int { return $this->at; }
}
class Refusing extends Letters
{
    public function stream_seek(): bool { return false; }
}
class Throwing extends Letters
{
    public function stream_seek(): bool { throw new RuntimeException('Stream is not seekable'); }
}

// A handler that asks nobody whether the warning was silenced.
set_error_handler(fn(int $level, string $message) => throw new ErrorException($message));
foreach (['letters' => '', 'seekable' => '0123', 'refusing' => '', 'throwing' => ''] as $name => $left) {
    stream_wrapper_register($name, ucfirst($name));
    $stream = fopen("$name://", 'r');
    (new RetryClient(baseDelay: 0.0, jitter: 0.0))->post(script($name, [['status' => 503], []]), body: $stream);
    foreach (received($name, 2) as $entry) {
        assert_same(hash('sha256', str_repeat('0123456789', 10_000)), $entry['body_sha256'], "$name: body");
    }
    if ($name === 'seekable') {
        assert_same('0123', fread($stream, 4), 'read after');
    }
    assert_same(true, fclose($stream), "$name: still open");
}
assert_same(4, Letters::$closed, 'closed by us only');
assert_same(E_ALL, error_reporting(), 'error_reporting');
done();
?>
--EXPECT--
done
