--TEST--
A retryable status that a rule stops is an answer, not a giving up
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 429, 'body' => 'no', 'headers' => [['x-should-retry', 'false']]]]);
$response = (new RetryClient())->get($url);
assert_same([429, 'no', 'not-retryable'], [$response->status, $response->body, $response->attempts[0]->reason->value], 'handed back');
$thrown = thrown_by(fn() => (new RetryClient(throwOnError: true))->get($url), RetryClient\HttpException::class);
assert_same(RetryClient\HttpException::class, $thrown::class, 'throwOnError');
done();
?>
--EXPECT--
done
