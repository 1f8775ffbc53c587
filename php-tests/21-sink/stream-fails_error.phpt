--TEST--
A stream that fails while it is written is a sink failure, not tried again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Full
{
    public $context;
    public function stream_open(): bool { return true; }
    public function stream_write(string $bytes): int { return 0; }
}
stream_wrapper_register('full', Full::class);
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$url = script('a', [['body' => 'x']]);
$stream = tmpfile();
$closing = new RetryClient(onAttempt: function () use (&$stream) { fclose($stream); return null; });
$cases = [
    'takes nothing' => fn() => $client->get($url, sink: fopen('full://', 'w')),
    'no space' => fn() => @$client->get($url, sink: fopen('/dev/full', 'w')),
    'closed meanwhile' => fn() => $closing->get($url, sink: $stream),
];
foreach ($cases as $what => $call) {
    $thrown = thrown_by($call, RetryClient\NetworkException::class);
    assert_same(['sink', 1], [$thrown?->kind, count($thrown->attempts)], $what);
}
done();
?>
--EXPECT--
done
