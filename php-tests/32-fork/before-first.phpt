--TEST--
A process that forks before its first call is like any other
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

$url = script('a', [['status' => 503], ['body' => 'ok']]);
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
joined(child(fn() => assert_same('ok', $client->get($url)->body, 'child')));
assert_same('ok', $client->get($url)->body, 'parent');
done();
?>
--EXPECT--
done
