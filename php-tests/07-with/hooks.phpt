--TEST--
with(): hooks stay bound to the scope that constructed the client
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{ClientInterface, FakeClient, Response};

class Service
{
    public array $seen = [];
    public function client(): ClientInterface
    {
        return new FakeClient(static fn() => new Response(status: 500), maxAttempts: 2, throwOnGiveUp: false, onRetry: [$this, 'waiting']);
    }
    private function waiting(RetryClient\Attempt $attempt, float $wait): void { $this->seen[] = $wait; }
}

$service = new Service();
$client = $service->client();
$client->with(baseDelay: 2)->with(baseDelay: 3)->get('http://a.test/');
assert_same([3.0], $service->seen, 'the old hook');

$others = [];
$client->with(onRetry: static function ($attempt, $wait) use (&$others) { $others[] = $wait; })->get('http://a.test/');
assert_same([[3.0], [0.5]], [$service->seen, $others], 'another hook');

// What is private for the caller of with() is refused there.
assert_throws(
    TypeError::class,
    'RetryClient::__construct(): Argument #31 ($onRetry) must be a valid callback or null, cannot access private method Service::waiting()',
    static fn() => $client->with(onRetry: [$service, 'waiting']),
);
done();
?>
--EXPECT--
done
