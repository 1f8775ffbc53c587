--TEST--
The file appears when its body is complete, not before
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

$path = folder() . '/out';
file_put_contents($path, 'the old one');
$seen = null;
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, function () use (&$seen, $path) { $seen ??= file_get_contents($path); });
$url = script('a', [['chunks' => ['begin', ' end'], 'chunked' => true, 'drip' => ['every_ms' => 800]]]);
signal_after(0.3, SIGUSR1);
(new RetryClient())->get($url, sink: $path);
assert_same(['the old one', 'begin end'], [$seen, file_get_contents($path)], 'while it arrives, and afterwards');
done();
?>
--EXPECT--
done
