--TEST--
Status, reason phrase and protocol are the server's
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$answer = fn(array $step) => $client->get(script('a', [$step]));

$plain = $answer(['status' => 201, 'body' => 'made']);
assert_same([201, 'Created', '1.1', 'made'], [$plain->status, $plain->reasonPhrase, $plain->protocol, $plain->body]);
$own = $answer(['status' => 299, 'reason' => "Fast  gut"]);
assert_same([299, "Fast  gut"], [$own->status, $own->reasonPhrase]);
$old = $answer(['version' => '1.0', 'body' => 'x']);
assert_same(['1.0', 'x'], [$old->protocol, $old->body]);
$none = $answer(['action' => 'raw', 'raw' => "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok"]);
assert_same([200, '', 'ok'], [$none->status, $none->reasonPhrase, $none->body]);
$bare = $answer(['action' => 'raw', 'raw' => "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n"]);
assert_same([404, ''], [$bare->status, $bare->reasonPhrase]);
assert_same([418, 599, 999], array_map(fn($status) => (new RetryClient(retryOn: []))->get(script('a', [['status' => $status]]))->status, [418, 599, 999]));
done();
?>
--EXPECT--
done
