<?php

/**
 * Runs the steps of a plan and answers with JSON what came of each, under any SAPI. The plan is the first argument, or what
 * was posted.
 *
 * A step: `call`, arguments of send(), by a client with `options`; `batch`, a number of requests for `uri`, with the further
 * arguments `with` of sendAll(); `ini`, a name and a value for ini_set(); `chdir`; `times`, how often. With `hold` the answer waits until
 * so many seconds after the start of the request. Warnings become part of the answer.
 */

declare(strict_types=1);

$warnings = [];
set_error_handler(static function (int $level, string $message) use (&$warnings): bool {
    $warnings[] = $message;
    return true;
});

$step = static function (array $step): array {
    try {
        return match (true) {
            isset($step['ini']) => ['ini' => ini_set(...$step['ini'])],
            isset($step['chdir']) => ['chdir' => chdir($step['chdir'])],
            isset($step['batch']) => batch(new RetryClient(...$step['options'] ?? []), $step),
            default => call(new RetryClient(...$step['options'] ?? []), $step['call']),
        };
    } catch (Throwable $thrown) {
        return ['class' => $thrown::class, 'message' => $thrown->getMessage(), 'kind' => $thrown->kind ?? null, 'attempts' => count($thrown->attempts ?? [])];
    }
};

function call(RetryClient $client, array $arguments): array
{
    $response = $client->send(...$arguments);
    return ['status' => $response->status, 'body' => substr($response->body, 0, 1000), 'attempts' => count($response->attempts)];
}

function batch(RetryClient $client, array $step): array
{
    $statuses = [];
    foreach ($client->sendAll(array_fill(0, $step['batch'], new RetryClient\Request('GET', $step['uri'])), ...$step['with'] ?? []) as $response) {
        $statuses[] = $response->status ?? $response::class;
    }
    return ['statuses' => array_count_values($statuses)];
}

$begin = microtime(true);
$plan = json_decode($argv[1] ?? file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
$seen = [];
foreach ($plan['steps'] as $one) {
    for ($i = 0; $i < ($one['times'] ?? 1); $i++) {
        $seen[] = $step($one);
    }
}
if (isset($plan['hold'])) {
    usleep((int) max(0, ($begin + $plan['hold'] - microtime(true)) * 1e6));
}
ob_start();
(new ReflectionExtension('retry_client'))->info();
$info = html_entity_decode(strip_tags(ob_get_clean()));
if (PHP_SAPI !== 'cli' && PHP_SAPI !== 'phpdbg') {
    header('Content-Type: application/json');
}
echo json_encode([
    'sapi' => PHP_SAPI, 'pid' => getmypid(), 'steps' => $seen, 'state' => RetryClient::stats()['state'], 'info' => $info,
    'warnings' => $warnings, 'extensions' => get_loaded_extensions(), 'preloaded' => function_exists('preloaded') ? preloaded() : null,
    'jit' => function_exists('opcache_get_status') ? (opcache_get_status(false)['jit']['on'] ?? false) : null,
], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION | JSON_PARTIAL_OUTPUT_ON_ERROR);
