--TEST--
Hooks may be any callable, bound to the scope that constructs the client
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, FakeClient, Response};

$seen = [];
function note(Attempt $attempt, float $wait): void { $GLOBALS['seen'][] = 'function'; }

class Owner
{
    public static function quiet(): void { $GLOBALS['seen'][] = 'static'; }
    public function __invoke(): void { $GLOBALS['seen'][] = 'invoke'; }
    public function public(): void { $GLOBALS['seen'][] = 'public'; }
    private function hidden(): void { $GLOBALS['seen'][] = 'private'; }
    private static function hiddenStatic(): void { $GLOBALS['seen'][] = 'private static'; }
    public function client(callable|array $onRetry): FakeClient
    {
        return new FakeClient([new Response(status: 500), new Response()], onRetry: $onRetry);
    }
    public function hiddenClient(): FakeClient { return $this->client([$this, 'hidden']); }
    public function hiddenStaticClient(): FakeClient { return $this->client([self::class, 'hiddenStatic']); }
    public function __call(string $name, array $arguments): void { $GLOBALS['seen'][] = "__call $name"; }
}

$owner = new Owner();
foreach (['note', 'Owner::quiet', ['Owner', 'quiet'], $owner, [$owner, 'public'], note(...), $owner->public(...), static fn() => $GLOBALS['seen'][] = 'arrow', [$owner, 'magic']] as $callable) {
    (new FakeClient([new Response(status: 500), new Response()], onRetry: $callable))->get('http://a.test/');
}
$owner->hiddenClient()->get('http://a.test/');
$owner->hiddenStaticClient()->get('http://a.test/');
assert_same(['function', 'static', 'static', 'invoke', 'public', 'function', 'public', 'arrow', '__call magic', 'private', 'private static'], $seen);

// Also after with().
$seen = [];
$client = $owner->hiddenClient()->with(maxAttempts: 2);
unset($owner);
$client->get('http://a.test/');
assert_same(['private'], $seen, 'with()');
done();
?>
--EXPECT--
done
