--TEST--
poll(): returns though a server never stops sending, so that an endless body can be read
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\Request;

$client = new RetryClient(maxBodySize: 64 << 20);
$pending = $client->start(new Request('GET', script('a', [['action' => 'endless', 'body' => str_repeat('x', 4096)]])));
$read = 0;
while ($read < 256 << 20) {
    assert_same([$pending], RetryClient::poll([$pending], 10.0));
    assert_same(false, $pending->done());
    $read += strlen($pending->read());
}
assert_same($read, $pending->received());
$pending->cancel();
done();
?>
--EXPECT--
done
