--TEST--
Forked processes do not draw the same jitter
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

(new RetryClient(baseDelay: 0.0, jitter: 0.001))->get(script('a', [['status' => 500], []]));
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$children = [];
for ($i = 0; $i < 4; $i++) {
    $children[] = child(function () use ($there) {
        $fake = new RetryClient\FakeClient(fn() => new RetryClient\Response(503), jitter: 1.0, maxAttempts: 2, throwOnGiveUp: false);
        fwrite($there, $fake->get('http://localhost/')->attempts[0]->wait . "\n");
    });
}
array_map(joined(...), $children);
fclose($there);
$drawn = explode("\n", trim(stream_get_contents($here)));
assert_same(4, count(array_unique($drawn)), 'different waits of ' . implode(', ', $drawn));
done();
?>
--EXPECT--
done
