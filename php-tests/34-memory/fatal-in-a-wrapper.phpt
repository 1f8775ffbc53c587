--TEST--
A fatal error while a body is read or written leaves nothing stuck
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Fatal
{
    public $context;
    public function stream_open(): bool { return true; }
    public function stream_write(string $bytes): int { ini_set('memory_limit', '8M'); return strlen(str_repeat('x', 100_000_000)); }
}
stream_wrapper_register('fatal', Fatal::class);
$url = script('b', [['body' => 'sent']]);
register_shutdown_function(function () use ($url) { echo 'shutdown: ', (new RetryClient())->get($url)->body, "\n"; });
(new RetryClient())->get(script('a', [['body' => 'x']]), sink: fopen('fatal://', 'w'));
?>
--EXPECTF--
Fatal error: Allowed memory size of 8388608 bytes exhausted%s(tried to allocate %d bytes) in %s on line %d
shutdown: sent
