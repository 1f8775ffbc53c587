--TEST--
A handler may exit while the iterator waits
--EXTENSIONS--
retry_client
pcntl
--FILE--
<?php
require __DIR__ . '/../support.php';

pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () { echo "exit\n"; exit(3); });
register_shutdown_function(function () { echo "shutdown\n"; });
final class Local { public function __destruct() { echo "destructor\n"; } }
(function () {
    $local = new Local();
    $input = [new RetryClient\Request('GET', server('http') . '/stall')];
    pcntl_alarm(1);
    foreach ((new RetryClient())->sendAll($input, 1) as $response) {
        echo "not reached\n";
    }
})();
?>
--EXPECT--
exit
destructor
shutdown
