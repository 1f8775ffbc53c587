--TEST--
The hooks see each send, in order, with the documented arguments
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$log = [];
$client = new RetryClient(
    baseDelay: 0.01, jitter: 0.0,
    onAttempt: function (...$args) use (&$log) { $log[] = ['attempt', $args[0]::class, $args[0]->uri, $args[1], count($args)]; return ['traceparent' => "t-$args[1]", 'X-Two' => ['a', 'b']]; },
    onOutcome: function (...$args) use (&$log) { $log[] = ['outcome', $args[0]->number, $args[1]?->status, $args[0]->reason->value, count($args)]; },
    onRetry: function (...$args) use (&$log) { $log[] = ['retry', $args[0]->number, $args[1], count($args)]; },
);
$url = script('a', [['status' => 429], ['action' => 'drop'], []]);
$client->get($url, ['traceparent' => 'mine']);
assert_same([
    ['attempt', RetryClient\Request::class, $url, 1, 2], ['outcome', 1, 429, 'backoff', 2], ['retry', 1, 0.01, 2],
    ['attempt', RetryClient\Request::class, $url, 2, 2], ['outcome', 2, null, 'network', 2], ['retry', 2, 0.02, 2],
    ['attempt', RetryClient\Request::class, $url, 3, 2], ['outcome', 3, 200, 'answered', 2],
], $log, 'calls');
assert_same(['t-1', 't-2', 't-3'], array_map(fn($entry) => header_of($entry, 'traceparent'), received('a', 3)), 'a header of its name is replaced');
assert_same(['a', 'b'], header_of(received('a')[0], 'X-Two'), 'two lines');
done();
?>
--EXPECT--
done
