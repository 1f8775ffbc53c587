--TEST--
A destructor may send, also the last one of the script
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Last
{
    public function __construct(private string $url) {}
    public function __destruct() { echo (new RetryClient(baseDelay: 0.0))->get($this->url)->body, "\n"; }
}
$kept = new Last(script('a', [['status' => 503], ['body' => 'sent at the end']]));
$gone = new Last(script('b', [['body' => 'sent at once']]));
unset($gone);
echo "end of the script\n";
?>
--EXPECT--
sent at once
end of the script
sent at the end
