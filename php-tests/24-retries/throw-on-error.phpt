--TEST--
throwOnError throws for every final status from 400 on
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(throwOnError: true, baseDelay: 0.0, jitter: 0.0, maxAttempts: 2);
foreach ([400, 401, 404, 499, 600] as $status) {
    $thrown = thrown_by(fn() => $client->get(script('a', [['status' => $status, 'body' => 'why']])), RetryClient\HttpException::class);
    assert_same([$status, $status, 'why', 'answered'], [$thrown?->getCode(), $thrown->response->status, $thrown->response->body, $thrown->attempts[0]->reason->value]);
}
assert_same(399, $client->get(script('a', [['status' => 399]]))->status);
assert_same(RetryClient\AttemptsExhaustedException::class, thrown_by(fn() => $client->get(script('a', [['status' => 503]])))::class, 'giving up');
$thrown = thrown_by(fn() => $client->with(throwOnGiveUp: false)->get(script('a', [['status' => 503]])));
assert_same(RetryClient\HttpException::class, $thrown::class, 'giving up without throwing, but throwOnError');
done();
?>
--EXPECT--
done
