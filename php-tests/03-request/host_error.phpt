--TEST--
A request has one Host header, and a host that a request can be sent to
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['action' => 'echo']]);
$client = new RetryClient();
$two = ['Host' => ['a.test', 'b.test']];
$rule = 'must not have more than one "host"';
assert_throws(ValueError::class, "RetryClient::get(): Argument #2 (\$headers) $rule", static fn() => $client->get($url, headers: $two));
assert_throws(ValueError::class, "RetryClient::get(): Argument #2 (\$headers) $rule", static fn() => $client->get($url, headers: ['Host' => 'a.test', 'host' => 'b.test']));
assert_throws(ValueError::class, "RetryClient::__construct(): Argument #2 (\$headers) $rule", static fn() => new RetryClient(headers: $two));
assert_throws(ValueError::class, "RetryClient::get(): Return value of onAttempt $rule", static fn() => $client->with(onAttempt: static fn() => $two)->get($url));
assert_same([], received('a'), 'nothing is sent');

$own = $client->with(headers: ['Host' => 'a.test'])->get($url, headers: ['Host' => 'b.test'])->json()['headers'];
assert_same([['host', 'b.test']], array_values(array_filter($own, static fn($header) => strtolower($header[0]) === 'host')), 'one replaces the other');

foreach (['{host}', 'a"b', 'a`b'] as $host) {
    assert_throws(ValueError::class, 'RetryClient::get(): Argument #1 ($uri) must be a valid URI', static fn() => $client->get("http://$host/"));
    assert_throws(ValueError::class, 'RetryClient::__construct(): Argument #1 ($baseUri) must be a valid URI', static fn() => new RetryClient("http://$host/"));
}
done();
?>
--EXPECT--
done
