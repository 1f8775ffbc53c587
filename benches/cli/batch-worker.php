<?php

/**
 * One worker of `batch.php`: reads what the next job costs, does the job, writes how it went, and so on.
 *
 * usage: batch-worker.php CLIENT URL MODEL OPTIONS
 *
 * CLIENT is `retry-client` or `hand-written-loop`, OPTIONS are RetryClient's, as JSON. It writes `ready`, then for each
 * job `done ATTEMPTS` or `lost ATTEMPTS REASON`; of the loop it does not know the attempts.
 */

declare(strict_types=1);

[, $client, $url, $model, $options] = $argv;
$ask = $client === 'retry-client' ? retry_client($url, json_decode($options, true)) : hand_written_loop($url);

echo "ready\n";
while (($line = fgets(STDIN)) !== false) {
    $cost = (int) $line;
    [$attempts, $reason] = $ask(['model' => $model, 'prompt' => 'Translate a sentence.'], $cost);
    echo $reason === null ? "done $attempts\n" : "lost $attempts $reason\n";
}

/** @return callable(array<string, string>, int): array{int, string|null} attempts, and why the job is lost */
function retry_client(string $url, array $options): callable
{
    $client = new RetryClient(...$options, headers: ['Authorization' => 'Bearer secret']);
    return static function (array $payload, int $cost) use ($client, $url): array {
        try {
            $response = $client->post(url_of($url, $cost), json: $payload, cost: $cost === 1 ? null : (float) $cost)->throw();
            return [count($response->attempts), null];
        } catch (RetryClient\Exception $e) {
            return [count($e->attempts), get_class($e) . ': ' . strtok($e->getMessage(), "\n")];
        }
    };
}

/** @return callable(array<string, string>, int): array{int, string|null} the loop of `make demo` */
function hand_written_loop(string $url): callable
{
    require __DIR__ . '/../../demo/hand-written-loop.php';
    putenv('API_KEY=secret');
    return static function (array $payload, int $cost) use ($url): array {
        putenv('API_URL=' . url_of($url, $cost));
        $answer = ask($payload);
        return [0, isset($answer['ok']) ? null : $answer['error']['message'] ?? json_encode($answer)];
    };
}

function url_of(string $url, int $cost): string
{
    return $cost === 1 ? $url : "$url&cost=$cost";
}
