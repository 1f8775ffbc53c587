--TEST--
onRetry returning false stops: the response is given up, a failure is thrown
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$asked = 0;
$client = new RetryClient(onRetry: function () use (&$asked) { $asked++; return false; }, baseDelay: 10.0);
$thrown = thrown_by(fn() => $client->get(script('a', [['status' => 503, 'body' => 'busy']])), RetryClient\AttemptsExhaustedException::class);
assert_same(['busy', 'stopped', 0.0, 1], [$thrown?->response->body, $thrown->attempts[0]->reason->value, $thrown->attempts[0]->wait, $asked], 'response');
$response = $client->with(throwOnGiveUp: false)->get(script('a', [['status' => 503]]));
assert_same([503, 'stopped'], [$response->status, $response->attempts[0]->reason->value], 'handed back');
$thrown = thrown_by(fn() => $client->get(script('a', [['action' => 'drop']])), RetryClient\NetworkException::class);
assert_same(['reset', 'stopped'], [$thrown?->kind, $thrown->attempts[0]->reason->value], 'failure');
foreach ([null, 0, '', 'false', []] as $answer) {
    $client = new RetryClient(onRetry: fn() => $answer, baseDelay: 0.0, jitter: 0.0);
    assert_same(2, count($client->get(script('a', [['status' => 503], []]))->attempts), 'only false stops');
}
done();
?>
--EXPECT--
done
