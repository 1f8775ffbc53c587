--TEST--
What the input throws is thrown when all that was begun has been handed over
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$bad = new DomainException('from the input');
$slow = script('slow', [['body' => 'x', 'delay_ms' => 300]]);
$clients = ['real' => new RetryClient(maxAttempts: 2, baseDelay: 0.2, jitter: 0.0), 'fake' => new FakeClient(static fn() => new Response())];
foreach ($clients as $what => $client) {
    $retried = script('retried', [['status' => 503], ['body' => 'y']]);
    $cleaned = false;
    $input = (static function () use ($slow, $retried, $bad, &$cleaned) {
        try {
            yield 'slow' => new Request('GET', $slow);
            yield 'retried' => apart($retried);
            throw $bad;
        } finally {
            $cleaned = true;
        }
    })();
    $keys = [];
    $responses = $client->sendAll($input, 4);
    $thrown = thrown_by(static function () use ($responses, &$keys) {
        foreach ($responses as $key => $response) {
            $keys[] = $key;
            assert_same(200, $response->status, $key);
        }
    }, DomainException::class);
    sort($keys);
    assert_true($thrown === $bad, "$what: the same object");
    assert_same([['retried', 'slow'], true, false], [$keys, $cleaned, $responses->valid()], $what);
    assert_same($what === 'real' ? 2 : 0, count(received('retried')), "$what: requests");
}

// Before anything else, and from an iterator's methods.
$thrown = thrown_by(static fn() => iterator_to_array((new RetryClient())->sendAll((static function () use ($bad) { throw $bad; yield; })())));
assert_true($thrown === $bad, 'at once');
foreach (['rewind', 'valid', 'current', 'key', 'next', 'getIterator'] as $method) {
    $input = $method === 'getIterator'
        ? new class($bad) implements IteratorAggregate {
            public function __construct(private Throwable $bad) {}
            public function getIterator(): Iterator { throw $this->bad; }
        }
        : new class($method, $bad, $slow) implements Iterator {
            private int $at = 0;
            public function __construct(private string $where, private Throwable $bad, private string $uri) {}
            private function in(string $method): void { $method === $this->where && throw $this->bad; }
            public function rewind(): void { $this->in('rewind'); }
            public function valid(): bool { $this->in('valid'); return $this->at < 2; }
            public function current(): mixed { $this->in('current'); return new RetryClient\Request('GET', $this->uri); }
            public function key(): mixed { $this->in('key'); return $this->at; }
            public function next(): void { $this->in('next'); $this->at++; }
        };
    $keys = [];
    $thrown = thrown_by(static function () use ($input, &$keys) {
        foreach ((new RetryClient())->sendAll($input, 1) as $key => $response) {
            $keys[] = $key;
        }
    });
    assert_true($thrown === $bad, $method);
    assert_same($method === 'next' ? [0] : [], $keys, "$method: results before");
}
done();
?>
--EXPECT--
done
