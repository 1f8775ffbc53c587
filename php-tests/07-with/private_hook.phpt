--TEST--
with(): a private method given as hook is bound to the scope that calls with()
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{ClientInterface, FakeClient, Response};

class Service
{
    public array $seen = [];
    public function __construct(private ClientInterface $client) {}
    public function watched(): ClientInterface { return $this->client->with(onRetry: [$this, 'waiting']); }
    public static function fake(): ClientInterface { return new FakeClient([new Response(status: 500), new Response()], onRetry: [self::class, 'quiet']); }
    private function waiting(RetryClient\Attempt $attempt, float $wait): void { $this->seen[] = $wait; }
    private static function quiet(): void {}
}

$service = new Service(new FakeClient([new Response(status: 500), new Response()]));
$service->watched()->get('http://a.test/');
assert_same([0.5], $service->seen, 'with()');
assert_same(200, Service::fake()->get('http://a.test/')->status, 'FakeClient');
assert_same(RetryClient::class, (new class { private function hook(): void {} public function make() { return (new RetryClient())->with(onOutcome: [$this, 'hook']); } })->make()::class, 'RetryClient');
done();
?>
--EXPECT--
done
