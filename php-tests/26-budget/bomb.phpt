--TEST--
What unpacks to gigabytes keeps neither the deadline nor a signal from its turn
--EXTENSIONS--
retry_client
pcntl
--FILE--
<?php
require __DIR__ . '/../support.php';

// zstd: 40,000 blocks, each a byte that stands for 128 KiB of it (RFC 8878, section 3.1.1.2).
$block = static fn(bool $last) => substr(pack('V', (int) $last | 1 << 1 | 131_072 << 3), 0, 3) . 'x';
$bomb = "\x28\xB5\x2F\xFD\x00\x58" . str_repeat($block(false), 39_999) . $block(true);
$url = script('a', [['body_base64' => base64_encode($bomb), 'headers' => [['Content-Encoding', 'zstd']]]]);

$path = folder() . '/out';
foreach (['stream' => fopen('/dev/null', 'w'), 'file' => $path] as $what => $sink) {
    $client = new RetryClient(budget: 0.3);
    $seconds = seconds(static fn() => $client->get($url, sink: $sink), $thrown);
    assert_true($thrown instanceof RetryClient\BudgetExceededException, "$what: " . show($thrown));
    assert_between(0.3, 0.8, $seconds, "$what: deadline");
}

pcntl_async_signals(true);
pcntl_signal(SIGALRM, static fn() => throw new RangeException());
foreach (['stream' => fopen('/dev/null', 'w'), 'file' => $path] as $what => $sink) {
    pcntl_alarm(1);
    $seconds = seconds(static fn() => (new RetryClient())->get($url, sink: $sink), $thrown);
    pcntl_alarm(0);
    assert_true($thrown instanceof RangeException, "$what: " . show($thrown));
    assert_between(0.9, 2.0, $seconds, "$what: signal");
}
assert_true(!file_exists($path), 'nothing is left behind');
done();
?>
--EXPECT--
done
