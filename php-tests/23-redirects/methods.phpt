--TEST--
301 and 302 turn a POST, and 303 all but HEAD, into a GET; 307 and 308 keep method and body
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$arrived = function (int $status, string $method) use ($client): array {
    $to = script('to', [[]]);
    $client->send($method, script('from', [['action' => 'redirect', 'status' => $status, 'location' => $to]]), ['Content-Type' => 'text/plain', 'X-Kept' => '1'], 'body');
    [$entry] = received('to', 1);
    return [$entry['method'], body_of($entry), header_of($entry, 'Content-Type'), header_of($entry, 'Content-Length'), header_of($entry, 'X-Kept')];
};
foreach ([301, 302, 303] as $status) {
    assert_same(['GET', '', null, null, '1'], $arrived($status, 'POST'), "$status POST");
}
foreach (['PUT', 'PATCH', 'DELETE', 'PROPFIND'] as $method) {
    assert_same(['GET', '', null, null, '1'], $arrived(303, $method), "303 $method");
    foreach ([301, 302] as $status) {
        assert_same([$method, 'body', 'text/plain', '4', '1'], $arrived($status, $method), "$status $method");
    }
}
assert_same('HEAD', $arrived(303, 'HEAD')[0], '303 HEAD');
foreach ([307, 308] as $status) {
    foreach (['POST', 'PUT', 'GET'] as $method) {
        assert_same([$method, 'body', 'text/plain', '4', '1'], $arrived($status, $method), "$status $method");
    }
}
done();
?>
--EXPECT--
done
