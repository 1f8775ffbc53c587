--TEST--
A handler may exit during a wait
--EXTENSIONS--
retry_client
pcntl
--FILE--
<?php
require __DIR__ . '/../support.php';

require __DIR__ . '/../signals.php';

pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () { echo "exit\n"; exit(3); });
register_shutdown_function(function () { echo "shutdown\n"; });
final class Local { public function __destruct() { echo "destructor\n"; } }
(function () {
    $local = new Local();
    pcntl_alarm(1);
    (new RetryClient())->get(script('a', [['status' => 429, 'headers' => [['Retry-After', '20']]]]));
    echo "not reached\n";
})();
?>
--EXPECT--
exit
destructor
shutdown
