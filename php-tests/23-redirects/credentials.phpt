--TEST--
Another origin gets no credentials
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$port = parse_url(server('http'), PHP_URL_PORT);
$client = new RetryClient(headers: ['Authorization' => 'Bearer s3cret', 'Cookie' => 'a=1', 'X-Api-Key' => 'k', 'X-Other' => 'stays', 'Host' => 'named.test'], verify: server('ca'));
$sent = function (string $location) use ($client): array {
    $to = script('to', [[]]);
    $client->get(script('from', [['action' => 'redirect', 'location' => str_replace('*', script_name('to'), $location)]]));
    $entry = received('to', 1)[0];
    return array_map(fn($name) => header_of($entry, $name), ['authorization', 'cookie', 'x-api-key', 'x-other', 'host']);
};
assert_same(['Bearer s3cret', 'a=1', 'k', 'stays', 'named.test'], $sent('/*'), 'the same origin');
assert_same(['Bearer s3cret', 'a=1', 'k', 'stays', 'named.test'], $sent(server('http') . '/*'), 'the same origin in full');
assert_same([null, null, null, 'stays', "localhost:$port"], $sent("http://localhost:$port/*"), 'another host');
assert_same([null, null, null, 'stays', substr(server('control'), 7)], $sent(server('control') . '/*'), 'another port');
assert_same([null, null, null, 'stays', substr(server('https'), 8)], $sent(server('https') . '/*'), 'another scheme');
assert_same(null, $sent('http://u:p@' . substr(server('control'), 7) . '/*')[0], 'userinfo of a Location is not used');
done();
?>
--EXPECT--
done
