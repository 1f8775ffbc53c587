--TEST--
HTTP/2 is spoken where the server offers it, and needs no reason phrase
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'));
$response = $client->post(script('a', [['status' => 201, 'body' => 'made', 'headers' => [['X-A', '1'], ['X-A', '2']]]], 'h2'), ['X-B' => ['3', '4'], 'Host' => 'other.test'], 'body');
assert_same([201, '', '2', 'made', ['1', '2']], [$response->status, $response->reasonPhrase, $response->protocol, $response->body, $response->headers['x-a']], 'response');
[$entry] = received('a', 1);
assert_same(['HTTP/2', 'POST', 'body', ['3', '4'], '4'], [$entry['protocol'], $entry['method'], body_of($entry), header_of($entry, 'x-b'), header_of($entry, 'content-length')], 'request');
assert_same('1.1', $client->get(script('b', [[]], 'https'))->protocol, 'where it is not offered');
$thrown = thrown_by(fn() => $client->with(throwOnError: true)->get(script('c', [['status' => 404]], 'h2')), RetryClient\HttpException::class);
assert_contains('404 Not Found', (string) $thrown?->getMessage(), "the registry's words in a message");
done();
?>
--EXPECT--
done
