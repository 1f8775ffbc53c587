--TEST--
onProgress: what is no callable is refused, and what it throws ends the batch
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

final class Owner
{
    private function hidden(): void {}
    private function mine(RetryClient\Progress $now): void { throw new DomainException("mine at $now->done"); }
    public function run(RetryClient\ClientInterface $client, array $requests): void { iterator_to_array($client->sendAll($requests, onProgress: [$this, 'mine'])); }
}
$request = new Request('GET', script('a', [['body' => 'x']]));
foreach ([new RetryClient(), new FakeClient(static fn() => new Response())] as $client) {
    $must = get_debug_type($client) . '::sendAll(): Argument #3 ($onProgress) must be a valid callback or null,';
    assert_throws(TypeError::class, "$must cannot access private method Owner::hidden()", static fn() => $client->sendAll([$request], onProgress: [new Owner(), 'hidden']));
    assert_throws(TypeError::class, "$must class \"Missing\" not found", static fn() => $client->sendAll([$request], onProgress: 'Missing::method'));
    assert_throws(TypeError::class, "$must no array or string given", static fn() => $client->sendAll([$request], onProgress: 5));
    // The caller's own private method may be called.
    $thrown = thrown_by(static fn() => (new Owner())->run($client, [$request]), DomainException::class);
    assert_same('mine at 1', $thrown?->getMessage());
}
assert_same(1, count(received('a')), 'requests');
done();
?>
--EXPECT--
done
