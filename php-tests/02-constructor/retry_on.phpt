--TEST--
retryOn: statuses and classes, instead of the default
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

function repeats(array $retryOn, int $status): bool
{
    $client = new FakeClient(static fn() => new Response(status: $status), retryOn: $retryOn, maxAttempts: 2, throwOnGiveUp: false);
    $client->get('http://a.test/');
    return count($client->requests()) === 2;
}

foreach ([
    [[], 429, false], [[], 500, false],
    [[429], 429, true], [[429], 500, false], [[429, 429], 429, true],
    [['5xx'], 500, true], [['5xx'], 599, true], [['5xx'], 499, false], [['5xx'], 600, false], [['5XX'], 503, true],
    [['4xx', 503], 404, true], [['4xx', 503], 503, true], [['4xx', 503], 502, false],
    [['1xx', '2xx', '3xx'], 200, true], [[100, 599], 599, true], [['named' => 418, 7 => '5xx'], 418, true],
] as [$retryOn, $status, $expected]) {
    assert_same($expected, repeats($retryOn, $status), json_encode($retryOn) . " and $status");
}
done();
?>
--EXPECT--
done
