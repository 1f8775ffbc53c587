--TEST--
A budget counts for each request, from when its turn has come
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{BudgetExceededException, Request};

$client = new RetryClient(budget: 0.5, maxAttempts: 1);
$input = static function (int $count, string $uri) {
    for ($i = 0; $i < $count; $i++) {
        yield new Request('GET', $uri);
    }
};
// Together they take longer than the budget of one.
$seconds = seconds(static fn() => iterator_to_array($client->sendAll($input(5, server('http') . '/delay/200'), 1)), $results);
assert_same([200, 200, 200, 200, 200], array_map(static fn($result) => $result->status ?? get_debug_type($result), $results));
assert_between(1.0, 2.0, $seconds, 'seconds');

// Each that is too slow is cut at its own.
$seconds = seconds(static fn() => iterator_to_array($client->sendAll($input(4, server('http') . '/stall'), 2)), $results);
ksort($results);
assert_same(array_fill(0, 4, BudgetExceededException::class), array_map(get_debug_type(...), $results));
assert_between(1.0, 1.6, $seconds, 'two rounds');
done();
?>
--EXPECT--
done
