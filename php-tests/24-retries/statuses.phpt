--TEST--
429 and 5xx are tried again for every method; everything else is an answer at once
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, maxRedirects: 0, throwOnGiveUp: false);
$sends = function (string $method, int $status) use ($client): int {
    // A key for each: what one is refused is not to hold back the next.
    $response = $client->send($method, script('a', [['status' => $status]]), limitKey: "$method $status");
    assert_same($status, $response->status, "$method $status");
    return count(received('a', count($response->attempts)));
};
foreach ([429, 500, 501, 502, 503, 504, 505, 507, 511, 520, 529, 599] as $status) {
    assert_same(2, $sends('GET', $status), "GET $status");
}
foreach ([200, 204, 301, 304, 400, 401, 402, 403, 404, 405, 408, 409, 410, 418, 422, 423, 425, 428, 430, 451, 499, 600, 999] as $status) {
    assert_same(1, $sends('GET', $status), "GET $status");
}
foreach (['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'] as $method) {
    assert_same([2, 2, 1], [$sends($method, 429), $sends($method, 500), $sends($method, 401)], $method);
}
done();
?>
--EXPECT--
done
