--TEST--
Clients in cycles with their hooks, answers and requests are collected
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Request, Response};

final class Owner
{
    public static int $alive = 0;
    public mixed $kept = null;
    public string $weight;
    public function __construct() { self::$alive++; $this->weight = bin2hex(random_bytes(500)); }
    public function __destruct() { self::$alive--; }
    public function hook(): void {}
    public function answer(): Response { return new Response(); }
    public function __toString(): string { return 'text'; }
}

$cycles = [
    'hook as method' => static function (Owner $owner) { $owner->kept = new RetryClient(onRetry: [$owner, 'hook']); },
    'hook as closure' => static function (Owner $owner) { $owner->kept = new RetryClient(onAttempt: static fn() => $owner->hook(), onOutcome: $owner->hook(...)); },
    'copy' => static function (Owner $owner) { $owner->kept = (new RetryClient(onRetry: [$owner, 'hook']))->with(maxAttempts: 2); },
    'fake' => static function (Owner $owner) { $owner->kept = new FakeClient([$owner, 'answer'], onRetry: [$owner, 'hook']); },
    'fake, used' => static function (Owner $owner) { $owner->kept = new FakeClient([$owner, 'answer']); $owner->kept->get('http://a.test/'); },
    'fake, copies' => static function (Owner $owner) { $owner->kept = (new FakeClient([$owner, 'answer']))->with(maxAttempts: 2)->with(maxAttempts: 3); $owner->kept->get('http://a.test/'); },
    'fake, list of throwables' => static function (Owner $owner) { $owner->kept = new FakeClient([new class($owner) extends Exception { public function __construct(public Owner $owner) {} }]); },
    'fake, requests' => static function (Owner $owner) { $owner->kept = new FakeClient([new Response()]); $owner->kept->post('http://a.test/', body: $owner); },
    'request' => static function (Owner $owner) { $owner->kept = new Request('POST', '/', json: $owner); },
    'request of a call' => static function (Owner $owner) {
        $owner->kept = new FakeClient([new Response()], onAttempt: static function ($request) use ($owner) { $owner->weight = ''; });
        $owner->kept->post('http://a.test/', json: ['owner' => [$owner]]);
    },
    'two clients' => static function (Owner $owner) {
        $first = new RetryClient(onRetry: static function () use (&$second) {});
        $second = new RetryClient(onRetry: static function () use ($first, $owner) {});
        $owner->kept = $second;
    },
];
foreach ($cycles as $name => $make) {
    $make(new Owner());
    assert_true(Owner::$alive > 0, "$name: alive as long as nobody collects");
    gc_collect_cycles();
    assert_same(0, Owner::$alive, $name);
}

// Flat over many.
foreach ($cycles as $name => $make) {
    $run = static function () use ($make): int {
        for ($i = 0; $i < 200; $i++) {
            $make(new Owner());
        }
        gc_collect_cycles();
        return memory_get_usage();
    };
    $run();
    $before = $run();
    assert_true($run() - $before < 20_000, "$name: memory grows");
}

// What is still in use is not collected.
$owner = new Owner();
$cycles['fake, used']($owner);
gc_collect_cycles();
assert_same([200, 1], [$owner->kept->get('http://a.test/')->status, Owner::$alive]);
done();
?>
--EXPECT--
done
