--TEST--
One that is closed at the very moment is a lost answer: a GET is sent again, a POST is not
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(baseDelay: 0.0, jitter: 0.0);
foreach (['close', 'reset'] as $how) {
    $steps = [['body' => 'first', 'close_on_next' => $how], ['body' => 'second']];
    $url = script('a', $steps);
    $client->get($url);
    $response = $client->get($url);
    assert_same(['second', 2], [$response->body, count($response->attempts)], "$how: GET");
    $url = script('a', $steps);
    $client->get($url);
    $thrown = thrown_by(fn() => $client->post($url, body: 'x'), RetryClient\NetworkException::class);
    assert_same(['reset', 1], [$thrown?->kind, count($thrown->attempts)], "$how: POST");
}
done();
?>
--EXPECT--
done
