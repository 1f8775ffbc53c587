--TEST--
decode: false hands the body over as it came
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(decode: false);
$url = script('a', [['body' => 'hello', 'encoding' => 'gzip']]);
$response = $client->get($url, ['Accept-Encoding' => 'gzip']);
assert_same('hello', gzdecode($response->body), 'body');
assert_same(['gzip', (string) strlen($response->body)], [$response->header('content-encoding'), $response->header('content-length')], 'headers');
$client->get($url);
assert_same(['gzip', null], array_map(fn($entry) => header_of($entry, 'Accept-Encoding'), received('a', 2)), 'asked for');
done();
?>
--EXPECT--
done
