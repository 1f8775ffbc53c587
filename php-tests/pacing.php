<?php

/** What the tests of limits share: processes that send together, and when their requests arrived. */

declare(strict_types=1);

require_once __DIR__ . '/signals.php';

/**
 * What a function returns in so many forked children, which begin at the same moment; it gets the child's number.
 *
 * @param callable(int): mixed $work what it returns must survive JSON
 * @return list<mixed>
 */
function together(int $count, callable $work): array
{
    $sockets = $children = [];
    for ($number = 0; $number < $count; $number++) {
        [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $children[] = child(static function () use ($work, $number, $there): void {
            fread($there, 1);
            fwrite($there, json_encode($work($number), JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION));
        });
        fclose($there);
        $sockets[] = $here;
    }
    foreach ($sockets as $socket) {
        fwrite($socket, '.');
    }
    $results = array_map(static fn($socket) => json_decode(stream_get_contents($socket), true), $sockets);
    array_map(joined(...), $children);
    return $results;
}

/**
 * What a call came to, for together(): `status` or `thrown`, `seconds`, and what the exception knows.
 *
 * @return array<string, mixed>
 */
function outcome(callable $call): array
{
    $seconds = seconds($call, $outcome);
    return ['seconds' => $seconds] + match (true) {
        $outcome instanceof RetryClient\Response => ['status' => $outcome->status, 'paced' => array_column($outcome->attempts, 'paced')],
        $outcome instanceof RetryClient\RateLimitedException => [
            'thrown' => $outcome::class, 'message' => $outcome->getMessage(), 'status' => $outcome->response?->status,
            'retryAfter' => $outcome->retryAfter, 'attempts' => count($outcome->attempts),
        ],
        default => ['thrown' => $outcome::class, 'message' => $outcome->getMessage()],
    };
}

/** What a PHP process of its own echoes as JSON; `$argv[1]` and on are the arguments. */
function php_says(array $directives, string $code, string ...$arguments): mixed
{
    $process = proc_open([...php_command($directives), '-r', $code, '--', ...$arguments], [['file', '/dev/null', 'r'], ['pipe', 'w']], $pipes);
    $said = stream_get_contents($pipes[1]);
    proc_close($process);
    return json_decode($said, true) ?? throw new Error("PHP said: $said");
}

/** Connects to the server, under no limit: a process's first request takes longer to arrive than the next ones. */
function connect(): void
{
    (new RetryClient())->get(server('http') . '/status/200');
}

/**
 * Asserts that requests arrived no sooner than a limit allows: $count at once, and as many after each $seconds. All count
 * from the first one, since what a busy machine delays on its way is closer to the next ones. The first can be late, too:
 * 25 ms are forgiven, less than any limit's interval.
 */
function assert_spread(string $name, int $requests, int $count, float $seconds): void
{
    $arrived = array_column(received($name, $requests), 'monotonic_ns');
    sort($arrived);
    assert_same($requests, count($arrived), "$name: requests");
    for ($i = $count; $i < count($arrived); $i++) {
        assert_between(intdiv($i, $count) * $seconds - 0.025, INF, ($arrived[$i] - $arrived[0]) / 1e9, "$name: from the first request to number $i");
    }
}

/** Seconds from the first to the last arrival. */
function span_of(string $name): float
{
    $arrived = array_column(received($name), 'monotonic_ns');
    return (max($arrived) - min($arrived)) / 1e9;
}

/**
 * The entries of stats() under which something was sent: of one rule of a caller's limit, or of what the API said.
 *
 * @return list<array<string, mixed>>
 */
function keys_of(?string $limit, ?array $stats = null): array
{
    return array_values(array_filter(
        ($stats ?? RetryClient::stats())['keys'],
        static fn(array $key) => $key['limit'] === $limit && $key['sent'] > 0,
    ));
}

/** The only one of them. */
function key_of(?string $limit, ?array $stats = null): array
{
    $keys = keys_of($limit, $stats);
    assert_same(1, count($keys), 'entries');
    return $keys[0] ?? throw new Error('no entry');
}
