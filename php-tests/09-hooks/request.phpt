--TEST--
onRetry and onOutcome that declare a third parameter get the request, others exactly two arguments
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, FakeClient, Request, Response};

$seen = [];
$request = new Request('get', 'http://a.test/');
$note = static function (string $hook) use (&$seen): Closure {
    return static function (mixed $first, mixed $second, ?Request $third = null) use ($hook, &$seen): void {
        $seen[] = [$hook, func_num_args(), $third ?? $first];
    };
};
$client = new FakeClient(
    [new Response(503), new Response()],
    onAttempt: static function (Request $request, int $number, mixed $third = null) use (&$seen): void {
        $seen[] = ['attempt', func_num_args(), $request];
    },
    onOutcome: $note('outcome'),
    onRetry: $note('retry'),
);
$client->sendRequest($request);
assert_same([
    ['attempt', 2, $request], ['outcome', 3, $request], ['retry', 3, $request],
    ['attempt', 2, $request], ['outcome', 3, $request],
], $seen);

// Methods.
final class Listener
{
    public array $seen = [];
    public function outcome(Attempt $attempt, ?Response $response, Request $request): void { $this->seen[] = $request->uri; }
    public static function retry(Attempt $failed, float $wait, Request $request): ?bool { return false; }
    public function __call(string $name, array $arguments): void { $this->seen[] = [$name, count($arguments)]; }
}
$listener = new Listener();
$client = new FakeClient([new Response(503)], throwOnGiveUp: false, onOutcome: [$listener, 'outcome'], onRetry: 'Listener::retry');
assert_same(1, count($client->get('http://b.test/')->attempts));
assert_same(['http://b.test/'], $listener->seen);

// Two arguments, where no third one is declared.
$counts = [];
$hook = static function (mixed ...$all) use (&$counts): void { $counts[] = count($all); };
(new FakeClient([new Response(503), new Response()], onOutcome: $hook, onRetry: $hook))->get('http://c.test/');
assert_same([2, 2, 2], $counts);
$listener->seen = [];
(new FakeClient([new Response()], onOutcome: [$listener, 'missing']))->get('http://d.test/');
assert_same([['missing', 2]], $listener->seen);
done();
?>
--EXPECT--
done
