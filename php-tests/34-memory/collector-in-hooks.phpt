--TEST--
The cycle collector, run by hooks or running them, frees nothing of a call in flight
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

/** In a cycle with its call. */
final class Holder
{
    public mixed $pending = null;
    public array $list = [1, 2, 3];
    public function __construct(public string $name) {}
    public function __toString(): string { return $this->name; }
}

/** Memory that was freed does not stay as it was. */
$reuse = static function (): void {
    $pieces = [];
    for ($i = 0; $i < 300; $i++) {
        array_push($pieces, new Holder('other'), str_repeat('A', 20), str_repeat('B', 180), str_repeat('C', 300), str_repeat('D', 400), [$i]);
    }
};
$other = new RetryClient();
/** Waits for other calls until this holds, for at most some seconds. */
$wait_until = static function (callable $holds) use ($other): void {
    for ($i = 0; $i < 50 && !$holds(); $i++) {
        assert_same(200, $other->get(server('http') . '/delay/50')->status, 'another call');
    }
};

// Each hook of a call in a cycle runs the collector, while PHP waits for another call.
$seen = [];
$watched = [];
$hook = static function (string $name) use (&$seen, &$watched, $reuse) {
    return static function () use ($name, &$seen, &$watched, $reuse) {
        $collected = gc_collect_cycles();
        $reuse();
        $seen[] = [$name, $collected, $watched[0]->get()?->name];
        return null;
    };
};
(static function () use ($hook, &$watched) {
    $client = new RetryClient(baseDelay: 0.02, jitter: 0.0, onAttempt: $hook('attempt'), onOutcome: $hook('outcome'), onRetry: $hook('retry'));
    $holder = new Holder('in the hook');
    $watched[0] = WeakReference::create($holder);
    $holder->pending = $client->start(apart(script('a', [['status' => 503, 'delay_ms' => 50], ['body' => 'ok']]), 'POST', json: $holder));
})();
$wait_until(static function () use (&$seen) { return count($seen) >= 5; });
assert_same([['attempt', 0, 'in the hook'], ['outcome', 0, 'in the hook'], ['retry', 0, 'in the hook'], ['attempt', 0, 'in the hook'], ['outcome', 0, 'in the hook']], $seen, 'hooks');
assert_same(['{"pending":null,"list":[1,2,3],"name":"in the hook"}', '{"pending":null,"list":[1,2,3],"name":"in the hook"}'], array_map(body_of(...), received('a', 2)), 'bodies');
gc_collect_cycles();

// So does a sink.
final class Sink
{
    public $context;
    public static array $seen = [];
    public static string $got = '';
    public static WeakReference $watched;
    public static Closure $reuse;
    public function stream_open(): bool { return true; }
    public function stream_close(): void {}
    public function stream_write(string $bytes): int
    {
        self::$seen[] = [gc_collect_cycles(), self::$watched->get()?->name];
        (self::$reuse)();
        self::$got .= $bytes;
        return strlen($bytes);
    }
}
Sink::$reuse = $reuse;
stream_wrapper_register('watching', Sink::class);
(static function () {
    $holder = new Holder('in the sink');
    Sink::$watched = WeakReference::create($holder);
    $holder->pending = (new RetryClient())->start(apart(script('b', [['body_repeat' => ['0123456789', 1000], 'delay_ms' => 50]]), 'POST', body: $holder, sink: fopen('watching://', 'w')));
})();
$wait_until(static fn() => strlen(Sink::$got) >= 10_000);
assert_same([[0, 'in the sink']], array_values(array_unique(Sink::$seen, SORT_REGULAR)), 'in the sink');
assert_same(str_repeat('0123456789', 1000), Sink::$got, 'what the sink got');
gc_collect_cycles();

// A destructor that the collector runs waits for a call, and meanwhile hooks of calls in cycles keep their requests.
final class Waiting
{
    public self $self;
    public static ?Closure $wait = null;
    public static bool $waits = false;
    public function __construct() { $this->self = $this; }
    public function __destruct()
    {
        self::$waits = true;
        (self::$wait)();
    }
}
$kept = [];
$waited = 0;
Waiting::$wait = static function () use ($wait_until, &$kept, &$waited) {
    $wait_until(static function () use (&$kept) { return count($kept) >= 10; });
    $waited++;
};
(static function () use (&$kept) {
    for ($i = 0; $i < 10; $i++) {
        $client = new RetryClient(maxAttempts: 20, baseDelay: 0.1, jitter: 0.0, multiplier: 1.0, onAttempt: static function (Request $request) use (&$kept, $i) {
            if (Waiting::$waits) {
                $kept[$i] = $request;
            }
        });
        $holder = new Holder("number $i");
        $holder->pending = $client->start(apart(script("c$i", [['status' => 503, 'delay_ms' => 10]]), 'POST', json: $holder));
    }
    new Waiting();
})();
assert_same(0, $waited, 'before the collector');
gc_collect_cycles();
$reuse();
assert_same(1, $waited, 'the destructor has waited');
ksort($kept);
assert_same(array_map(static fn(int $i) => ["number $i", [1, 2, 3]], range(0, 9)), array_map(static fn(Request $request) => [$request->json->name, $request->json->list], $kept), 'the kept requests');
done();
?>
--EXPECT--
done
