--TEST--
A fatal error in a hook leaves nothing stuck: a shutdown function may send
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('b', [['body' => 'sent']]);
register_shutdown_function(function () use ($url) { echo 'shutdown: ', (new RetryClient())->get($url)->body, "\n"; });
(new RetryClient(onOutcome: function () { ini_set('memory_limit', '8M'); str_repeat('x', 100_000_000); }))->get(script('a', [['status' => 503]]));
?>
--EXPECTF--
Fatal error: Allowed memory size of 8388608 bytes exhausted%s(tried to allocate %d bytes) in %s on line %d
shutdown: sent
