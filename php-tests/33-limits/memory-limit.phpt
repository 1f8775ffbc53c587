--TEST--
A body that does not fit into memory_limit is too large, never a fatal error
--EXTENSIONS--
retry_client
--INI--
memory_limit=24M
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 1);
$taken = 0;
$refused = 0;
$fits = 0;
foreach (['', '&chunked=1'] as $more) {
    for ($size = 15_000_000; $size < 26_000_000; $size += 666_666) {
        $outcome = null;
        seconds(fn() => $client->get(server('http') . "/bytes/$size?x=1$more"), $outcome);
        if ($outcome instanceof RetryClient\Response) {
            assert_same($size, strlen($outcome->body), 'length');
            $fits = max($fits, $size);
            $taken++;
        } else {
            assert_same('too-large', $outcome->kind ?? $outcome, "$size bytes");
            $refused++;
        }
    }
}
assert_true($taken > 5 && $refused > 5, "$taken taken, $refused refused");
assert_true($fits > 16_000_000, "no more than $fits fitted");

$filler = str_repeat('x', 18_000_000);
assert_same('too-large', thrown_by(fn() => $client->get(server('http') . '/bytes/5000000'))?->kind, 'little is left');
assert_same(1000, strlen($client->get(server('http') . '/bytes/1000')->body), 'a small one still fits');
done();
?>
--EXPECT--
done
