--TEST--
Only Responses are journaled: what failed is sent again
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{AttemptsExhaustedException, HttpException, NetworkException, Request, Response};

$file = folder() . '/j';
$client = new RetryClient(maxAttempts: 1, throwOnGiveUp: true);
$requests = [
    'good' => apart(script('good', [['body' => 'x']])),
    'not found' => apart(script('404', [['status' => 404, 'body' => 'no']])),
    'given up' => apart(script('503', [['status' => 503], ['body' => 'at last']])),
    'broken' => apart(script('broken', [['action' => 'drop'], ['body' => 'at last']])),
];
$classes = array_map(get_debug_type(...), iterator_to_array($client->sendAll($requests, journal: $file)));
ksort($classes);
assert_same(['broken' => NetworkException::class, 'given up' => AttemptsExhaustedException::class, 'good' => Response::class, 'not found' => Response::class], $classes, 'the first run');
assert_same(3, count(file($file)), 'lines');

$results = iterator_to_array($client->sendAll($requests, journal: $file));
$first = array_slice(array_keys($results), 0, 2);
sort($first);
assert_same(['good', 'not found'], $first, 'those that were there come first');
assert_same([200, 404, 'no', 'at last', 'at last'], [$results['good']->status, $results['not found']->status, $results['not found']->body, $results['given up']->body, $results['broken']->body]);
assert_same([1, 1, 2, 2], [count(received('good')), count(received('404')), count(received('503')), count(received('broken'))], 'requests');

// With throwOnError a 404 is a failure, with throwOnGiveUp: false a 503 is a result.
$file = folder() . '/j';
$results = iterator_to_array($client->with(throwOnError: true)->sendAll(['k' => $requests['not found']], journal: $file));
assert_same([HttpException::class, 1], [get_debug_type($results['k']), count(file($file))]);
$last = apart(script('last', [['status' => 503]]));
for ($i = 0; $i < 2; $i++) {
    assert_same(503, iterator_to_array($client->with(throwOnGiveUp: false)->sendAll(['l' => $last], journal: $file))['l']->status);
}
assert_same([1, 2], [count(received('last')), count(file($file))], 'a last response');
done();
?>
--EXPECT--
done
