--TEST--
sendAll(): never more than concurrency in flight, and as many as there are
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

$client = new RetryClient();
foreach ([[null, 8, 24], [1, 1, 4], [5, 5, 22], [50, 12, 12]] as [$concurrency, $most, $count]) {
    $url = counting('a', 80);
    $input = static function () use ($url, $count) {
        for ($i = 0; $i < $count; $i++) {
            yield new Request('GET', $url);
        }
    };
    $seconds = seconds(static fn() => iterator_to_array($client->sendAll($input(), ...($concurrency === null ? [] : [$concurrency]))), $results);
    $what = 'concurrency ' . var_export($concurrency, true);
    assert_same(array_fill(0, $count, 200), array_map(static fn($response) => $response->status, array_values($results)), "$what: results");
    assert_same([$count, $most, 0], [counted('a')['accepted'], counted('a')['max_in_flight'], counted('a')['in_flight']], "$what: sent, at once, left");
    assert_between(0.08 * ceil($count / $most), 0.08 * ceil($count / $most) + 1.0, $seconds, "$what: seconds");
    assert_true(count(array_unique(array_column(received('a'), 'connection'))) <= $most, "$what: connections are kept");
}
done();
?>
--EXPECT--
done
