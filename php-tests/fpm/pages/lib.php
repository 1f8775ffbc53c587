<?php

/** What the pages share: the plan that the test posted, what came of a call, and the answer. */

declare(strict_types=1);

/** @return array<string, mixed> the JSON that the test posted */
function plan(): array
{
    return json_decode((string) file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
}

/** @return array<string, mixed> what a call returned or threw, and after how many seconds */
function outcome(Closure $call): array
{
    $begin = hrtime(true);
    try {
        $seen = returned($call());
    } catch (RetryClient\Exception $thrown) {
        $seen = thrown($thrown);
    }
    return $seen + ['elapsed' => (hrtime(true) - $begin) / 1e9];
}

/** @return array<string, mixed> */
function returned(RetryClient\Response $response): array
{
    return [
        'class' => $response::class, 'status' => $response->status, 'body' => substr($response->body, 0, 10_000),
        'length' => strlen($response->body), 'attempts' => count($response->attempts), 'retryAfter' => $response->retryAfter,
    ];
}

/** @return array<string, mixed> */
function thrown(RetryClient\Exception $thrown): array
{
    $previous = $thrown->getPrevious();
    return [
        'class' => $thrown::class, 'message' => $thrown->getMessage(), 'attempts' => count($thrown->attempts),
        'status' => ($thrown->response ?? null)?->status, 'kind' => $thrown->kind ?? null,
        'retryAfter' => $thrown->retryAfter ?? null, 'needed' => $thrown->needed ?? null, 'left' => $thrown->left ?? null,
        'previous' => $previous === null ? null : ['class' => $previous::class, 'kind' => $previous->kind ?? null],
    ];
}

/** Answers with JSON; `elapsed` counts from the start of the request as PHP sees it. */
function answer(array $fields): void
{
    header('Content-Type: application/json');
    echo json_encode($fields + ['pid' => getmypid(), 'elapsed' => microtime(true) - $_SERVER['REQUEST_TIME_FLOAT']], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
}

/** Ends the page in the way of that name. */
function end_by(string $how): never
{
    match ($how) {
        'memory' => str_repeat('x', 1 << 30),
        'exception' => throw new LogicException('from the hook'),
        'error' => trigger_error('from the hook', E_USER_ERROR),
        'exit' => exit('ended'),
        'time' => spin(),
    };
    throw new Error('it should have ended');
}

/** Takes CPU time until max_execution_time is over. */
function spin(): never
{
    set_time_limit(1);
    while (true);
}
