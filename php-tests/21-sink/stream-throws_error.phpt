--TEST--
What a wrapper throws while it is written ends the call
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Throwing
{
    public $context;
    public static bool $exits = false;
    public function stream_open(): bool { return true; }
    public function stream_write(string $bytes): int { throw new DomainException('no more'); }
}
stream_wrapper_register('throwing', Throwing::class);
$client = new RetryClient();
$thrown = thrown_by(fn() => $client->get(script('a', [['body' => 'x']]), sink: fopen('throwing://', 'w')), DomainException::class);
assert_same('no more', $thrown?->getMessage(), 'message');
assert_same('y', $client->get(script('b', [['body' => 'y']]))->body, 'the client still works');
done();
?>
--EXPECT--
done
