--TEST--
Progress::$total: what can be counted is, without taking from it
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$request = new Request('GET', server('http') . '/status/200');
$counts = new class implements IteratorAggregate, Countable {
    public function count(): int { return 3; }
    public function getIterator(): Iterator { yield from array_fill(0, 3, new Request('GET', server('http') . '/status/200')); }
};
$iterables = [
    'array' => [array_fill(0, 3, $request), 3], 'ArrayIterator' => [new ArrayIterator(array_fill(0, 3, $request)), 3], 'ArrayObject' => [new ArrayObject(array_fill(0, 3, $request)), 3],
    'own' => [$counts, 3], 'generator' => [(static function () use ($request) { yield 0 => $request; yield 1 => $request; yield 2 => $request; })(), null],
    'not countable' => [new IteratorIterator(new ArrayIterator(array_fill(0, 3, $request))), null],
];
foreach (['real' => new RetryClient(), 'fake' => new FakeClient(static fn() => new Response())] as $client => $object) {
    foreach ($iterables as $what => [$iterable, $total]) {
        if ($what === 'generator' && $client === 'fake') {
            continue;    // it is used up
        }
        $totals = $etas = [];
        $results = $object->sendAll($iterable, onProgress: static function ($now) use (&$totals, &$etas) { $totals[] = $now->total; $etas[] = $now->eta; });
        assert_same(3, count(iterator_to_array($results, false)), "$client, $what: results");
        assert_same([$total], array_values(array_unique($totals, SORT_REGULAR)), "$client, $what");
        if ($total === null) {
            assert_same([null], array_values(array_unique($etas, SORT_REGULAR)), "$client, $what: no end is known");
        }
    }
}
// A count that lies or throws.
$lies = new class implements IteratorAggregate, Countable {
    public function count(): int { return 1; }
    public function getIterator(): Iterator { yield from array_fill(0, 3, new Request('GET', 'http://a.test/')); }
};
assert_same(3, count(iterator_to_array((new FakeClient(static fn() => new Response()))->sendAll($lies, onProgress: static fn() => null))), 'a count that lies');
done();
?>
--EXPECT--
done
