--TEST--
A connection is used again: by later calls, retries, other objects and copies
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body' => 'x'], ['status' => 503, 'body' => 'busy'], ['status' => 404], ['status' => 204], ['body' => 'y', 'chunked' => true], []]);
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
$client->get($url);
$client->get($url);
$client->head($url);
$client->post($url, body: 'x');
(new RetryClient(headers: ['X' => '1'], timeout: 5.0, connectTimeout: 1.0, maxRedirects: 2, userAgent: 'x', limitKey: 'k'))->get($url);
$client->with(baseUri: $url, maxAttempts: 1)->get('');
assert_same(1, count(array_unique(array_column(received('a', 7), 'connection'))), 'connections');
assert_same(range(1, 7), array_column(received('a'), 'index'), 'requests on it');
done();
?>
--EXPECT--
done
