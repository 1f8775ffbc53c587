--TEST--
A GOAWAY below our stream is replaced at once; one that covers it is not
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), baseDelay: 0.0, jitter: 0.0);
foreach (['GET', 'POST'] as $method) {
    $response = $client->send($method, script('a', [['action' => 'goaway'], ['body' => 'ok']], 'h2'));
    assert_same(['ok', 1], [$response->body, count($response->attempts)], "$method: unprocessed");
    assert_same(2, count(array_unique(array_column(received('a', 2), 'connection'))), "$method: on a new connection");
}
$url = script('b', [['action' => 'goaway', 'goaway' => 'after', 'body' => 'last'], ['body' => 'ok']], 'h2');
assert_same(['last', 'ok'], [$client->post($url)->body, $client->post($url)->body], 'after the answer');
done();
?>
--EXPECT--
done
