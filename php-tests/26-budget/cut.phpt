--TEST--
An attempt is cut at the budget, whatever the server does
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$cases = [
    'silence' => [['action' => 'stall'], 'http'],
    'silence after the head' => [['body' => 'x', 'body_delay_ms' => 5000], 'http'],
    'one byte at a time' => [['action' => 'endless', 'drip' => ['every_ms' => 50]], 'http'],
    'a head byte by byte' => [['action' => 'raw', 'raw' => 'HTTP/1.1 200 OK' . str_repeat("\r\nX-A: b", 100), 'drip' => ['every_ms' => 50]], 'http'],
    'a compressed body byte by byte' => [['body_repeat' => ['x', 1_000_000], 'encoding' => 'gzip', 'drip' => ['every_ms' => 50]], 'http'],
    'stalls in the middle' => [['action' => 'half', 'body' => 'hello', 'end' => 'stall'], 'http'],
    'silence over HTTP/2' => [['action' => 'stall'], 'h2'],
    'an endless body over HTTP/2' => [['action' => 'endless', 'drip' => ['every_ms' => 50]], 'h2'],
];
foreach ($cases as $what => [$step, $on]) {
    $url = script('a', [$step], $on);
    $seconds = seconds(fn() => (new RetryClient(budget: 0.3, verify: server('ca')))->get($url), $thrown);
    assert_same(RetryClient\BudgetExceededException::class, get_debug_type($thrown), $what);
    assert_between(0.3, 0.5, $seconds, $what);
    assert_same([null, 0.0, 0.0, 1, 'budget-exceeded'], [$thrown->response, $thrown->needed, $thrown->left, count($thrown->attempts), $thrown->attempts[0]->reason->value], $what);
    assert_same([RetryClient\NetworkException::class, 'timeout'], [$thrown->getPrevious()::class, $thrown->getPrevious()->kind], "$what: previous");
}
done();
?>
--EXPECT--
done
