--TEST--
throwOnGiveUp and throwOnError: what each pair makes of each end
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient as R;
use RetryClient\{FakeClient, Reason, Response};

$status = static fn(int $status, mixed ...$more) => array_fill(0, 5, new Response($status, ...$more));
$keyless = ['idempotencyKey' => false];
$stop = ['onRetry' => static fn() => false];
$ends = [
    // answers, options, [default, throwOnError, throwOnGiveUp off, both], the last attempt's reason
    'success' => [$status(200), [], ['200', '200', '200', '200'], Reason::Answered],
    'redirect without a target' => [$status(302), [], ['302', '302', '302', '302'], Reason::Answered],
    'client error' => [$status(404), [], ['404', 'HttpException', '404', 'HttpException'], Reason::Answered],
    'status beyond 599' => [$status(999), [], ['999', 'HttpException', '999', 'HttpException'], Reason::Answered],
    'not retryable' => [$status(500), $keyless, ['500', 'HttpException', '500', 'HttpException'], Reason::NotRetryable],
    'forbidden by header' => [$status(429, headers: ['x-should-retry' => 'false']), [], ['429', 'HttpException', '429', 'HttpException'], Reason::NotRetryable],
    'exhausted' => [$status(500), [], ['AttemptsExhaustedException', 'AttemptsExhaustedException', '500', 'HttpException'], Reason::AttemptsExhausted],
    'exhausted below 400' => [$status(202), ['retryOn' => [202]], ['AttemptsExhaustedException', 'AttemptsExhaustedException', '202', '202'], Reason::AttemptsExhausted],
    'stopped' => [$status(500), $stop, ['AttemptsExhaustedException', 'AttemptsExhaustedException', '500', 'HttpException'], Reason::Stopped],
    'over budget' => [$status(429, headers: ['Retry-After' => '9']), ['budget' => 1], ['BudgetExceededException', 'BudgetExceededException', '429', 'HttpException'], Reason::BudgetExceeded],
    'no response' => [array_fill(0, 5, new R\NetworkException('down', kind: 'connect')), [], array_fill(0, 4, 'NetworkException'), Reason::AttemptsExhausted],
    'no response, not retryable' => [[new R\NetworkException('down', kind: 'reset')], [], array_fill(0, 4, 'NetworkException'), Reason::NotRetryable],
    'no response, stopped' => [[new R\NetworkException('down', kind: 'dns')], $stop, array_fill(0, 4, 'NetworkException'), Reason::Stopped],
    'no response, over budget' => [[new R\NetworkException('down', kind: 'dns')], ['budget' => 0.1], array_fill(0, 4, 'BudgetExceededException'), Reason::BudgetExceeded],
];
$pairs = [[], ['throwOnError' => true], ['throwOnGiveUp' => false], ['throwOnGiveUp' => false, 'throwOnError' => true]];
foreach ($ends as $name => [$answers, $options, $expected, $reason]) {
    foreach ($pairs as $number => $pair) {
        $client = new FakeClient($answers, ...$options, ...$pair);
        try {
            $response = $client->post('http://a.test/');
            $got = (string) $response->status;
            $attempts = $response->attempts;
        } catch (R\Exception $e) {
            $got = substr($e::class, strlen('RetryClient\\'));
            $attempts = $e->attempts;
            if ($e instanceof R\HttpException) {
                assert_same([$answers[0]->status, $answers[0]->status], [$e->getCode(), $e->response->status], $name);
            }
        }
        $what = "$name, " . json_encode($pair);
        assert_same($expected[$number], $got, $what);
        assert_same($reason, end($attempts)->reason, $what);
        assert_same(count($client->requests()), count($attempts), $what);
    }
}
done();
?>
--EXPECT--
done
