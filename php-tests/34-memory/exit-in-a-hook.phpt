--TEST--
A hook may exit: destructors and shutdown functions run, and may still send
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Local
{
    public function __construct(private RetryClient $client, private string $url) {}
    public function __destruct() { echo 'destructor: ', $this->client->get($this->url)->body, "\n"; }
}
$url = script('b', [['body' => 'sent']]);
register_shutdown_function(function () use ($url) { echo 'shutdown: ', (new RetryClient())->get($url)->body, "\n"; });
(function () use ($url) {
    $local = new Local(new RetryClient(), $url);
    (new RetryClient(onRetry: function () { echo "exit\n"; exit(0); }))->get(script('a', [['status' => 503]]));
    echo "not reached\n";
})();
?>
--EXPECT--
exit
destructor: sent
shutdown: sent
