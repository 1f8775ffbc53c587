--TEST--
A stream that the server refuses is replaced at once, at most twice, without an attempt
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), baseDelay: 0.1, jitter: 0.0);
foreach (['GET', 'POST'] as $method) {
    $hooked = 0;
    $url = script('a', [['action' => 'refuse_stream', 'times' => 2], ['body' => 'ok']], 'h2');
    $response = $client->with(onAttempt: function () use (&$hooked) { $hooked++; return null; })->send($method, $url);
    assert_same(['ok', 1, 1, 0.0], [$response->body, count($response->attempts), $hooked, $response->waited], $method);
    assert_same(3, count(received('a')), "$method: requests");

    $url = script('b', [['action' => 'refuse_stream', 'times' => 3], ['body' => 'ok']], 'h2');
    $response = $client->send($method, $url);
    assert_same(['ok', 2, 'network', 0.1], [$response->body, count($response->attempts), $response->attempts[0]->reason->value, $response->waited], "$method: three times");
}
done();
?>
--EXPECT--
done
