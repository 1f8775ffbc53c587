--TEST--
Responses with journaled results in a cycle are collected, and the journal is free
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

/** In the JSON of the requests that lead to it. */
final class Holder implements JsonSerializable
{
    public mixed $responses = null;
    public function jsonSerialize(): mixed { return 1; }
}

$file = folder() . '/j';
$client = new RetryClient();
$url = script('a', [['body' => 'x']]);
$requests = static fn(Holder $holder): array => array_map(static fn(int $i) => new Request('POST', "$url/$i", json: $holder), range(0, 4));
assert_same(3, count(iterator_to_array($client->sendAll(array_slice($requests(new Holder()), 0, 3), journal: $file))), 'the first time');

$stages = [0 => 'not begun', 1 => 'at the first', 2 => 'among the journaled ones', 4 => 'behind them', 5 => 'at the last', 6 => 'at the end'];
foreach ($stages as $steps => $what) {
    foreach (['array', 'ArrayIterator', 'Generator'] as $kind) {
        $own = "$file.$steps.$kind";
        copy($file, $own);
        $holder = new Holder();
        $all = $requests($holder);
        $input = match ($kind) {
            'array' => $all,
            'ArrayIterator' => new ArrayIterator($all),
            'Generator' => (static function () use ($all) { yield from $all; })(),
        };
        $holder->responses = $client->sendAll($input, 1, journal: $own);
        $got = [];
        for ($i = 0; $i < $steps && $holder->responses->valid(); $i++) {
            $i > 0 && $holder->responses->next();
            $got[] = $holder->responses->key();
        }
        assert_same(array_slice([0, 1, 2, 3, 4, null], 0, $steps), $got, "$what, $kind: keys");
        $watched = WeakReference::create($holder);
        unset($holder, $all, $input);
        if ($steps < 6) {
            assert_same('in use', in_use($client, $own), "$what, $kind: until somebody collects");
        }
        gc_collect_cycles();
        assert_same(null, $watched->get(), "$what, $kind: collected");
        assert_same('free', in_use($client, $own), "$what, $kind: the journal");
        assert_same(5, iterator_count($client->sendAll($requests(new Holder()), journal: $own)), "$what, $kind: results of another batch");
    }
}

function in_use(RetryClient $client, string $file): string
{
    try {
        $client->sendAll([], journal: $file);
        return 'free';
    } catch (ValueError $e) {
        assert_contains('is in use', $e->getMessage());
        return 'in use';
    }
}

// Many leave nothing behind.
$round = static function () use ($client, $requests, $file): void {
    for ($i = 0; $i < 40; $i++) {
        $holder = new Holder();
        $holder->responses = $client->sendAll($requests($holder), 1, journal: "$file.6.array");
        $holder->responses->rewind();
        unset($holder);
        gc_collect_cycles();
    }
};
$descriptors = static fn(): int => count(scandir('/proc/self/fd'));
$round();
$before = [memory_get_usage(), $descriptors()];
$round();
assert_between(0, 4_000, max(0, memory_get_usage() - $before[0]), "bytes of PHP's memory");
assert_between(0, 0, max(0, $descriptors() - $before[1]), 'descriptors');
done();
?>
--EXPECT--
done
