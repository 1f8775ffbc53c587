--TEST--
Neither cookies nor a Referer are sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$to = script('to', [[]]);
$from = script('from', [['action' => 'redirect', 'location' => $to, 'headers' => [['Set-Cookie', 'a=1; Path=/']]]]);
$client = new RetryClient();
$client->get($from);
$client->get($from);
foreach ([...received('from', 2), ...received('to', 2)] as $entry) {
    assert_same([null, null], [header_of($entry, 'Cookie'), header_of($entry, 'Referer')]);
}
done();
?>
--EXPECT--
done
