--TEST--
stats() shows no credential, limitKey, path or query
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../06-redaction/secrets.inc';

$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '0.05']], 'body' => secret('body')], []]);
foreach ([null, secret('limitKey')] as $limitKey) {
    foreach ([null, '100/s'] as $limit) {
        $client = secret_client(baseUri: null, limitKey: $limitKey, limit: $limit, maxAttempts: 2, onAttempt: null);
        $client->post(secret_uri($url), json: ['key' => secret('body')], query: ['key' => secret('query')]);
        $client->get(secret_uri($url), headers: ['X-Api-Key' => secret('x-api-key')]);
    }
}
assert_true(RetryClient::stats()['keys'] !== [], 'there are entries');
assert_hidden(print_r(RetryClient::stats(), true) . serialize(RetryClient::stats()), 'stats()');
assert_not_contains(script_name('a'), serialize(RetryClient::stats()), 'the path');
done();
?>
--EXPECT--
done
