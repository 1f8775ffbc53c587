--TEST--
A program that PHP starts inherits no connection
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$sockets = fn(): int => (int) shell_exec('ls -l /proc/self/fd | grep -c socket');
$before = $sockets();
foreach (['http', 'https', 'h2'] as $on) {
    (new RetryClient(verify: server('ca')))->get(script('a', [[]], $on));
}
assert_same($before, $sockets());
done();
?>
--EXPECT--
done
