--TEST--
The base URI's userinfo becomes Basic credentials, for its own host only
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

$client = new FakeClient(static fn() => new Response(), baseUri: 'https://us%40er:p%3Aw@a.test/v1');
$client->get('x');
$client->get('//b.test/x');
$client->get('x', headers: ['authorization' => 'Bearer own']);
[$own, $other, $given] = $client->requests();
assert_same('https://a.test/v1/x', $own->uri, 'uri');
assert_same(['Basic ' . base64_encode('us@er:p:w')], $own->headers['authorization'], 'credentials');
assert_same(false, isset($other->headers['authorization']), 'another host');
assert_same(['Bearer own'], $given->headers['authorization'], 'a header wins');
done();
?>
--EXPECT--
done
