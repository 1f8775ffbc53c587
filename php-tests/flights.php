<?php

/** What the tests of started calls, batches and streams share. */

declare(strict_types=1);

use RetryClient\{Pending, Request};

/**
 * The entries of a script's log whose client left before the end of the answer; waits until there are so many.
 *
 * @return list<array<string, mixed>>
 */
function abandoned(string $name, int $count): array
{
    $until = hrtime(true) + 3_000_000_000;
    do {
        $left = array_values(array_filter(received($name), static fn(array $entry) => $entry['left_ns'] !== null));
    } while (count($left) < $count && hrtime(true) < $until && usleep(10_000) === null);
    assert_same($count, count($left), "$name: answers whose client left");
    return $left;
}

/** An address that answers after so many ms, logs, and counts how many are in flight at once: counted(). */
function counting(string $name, int $delay = 0, string $on = 'http'): string
{
    $unique = script_name($name);
    control('DELETE', "/_limited/$unique");
    control('DELETE', "/_log/$unique");
    return server($on) . "/limited/$unique?kind=concurrency&limit=100000&delay=$delay&log=$unique";
}

/**
 * What became of the requests to a counting() address: `accepted`, `abandoned`, `in_flight`, `max_in_flight`.
 *
 * @return array<string, mixed>
 */
function counted(string $name): array
{
    return control('GET', '/_limited/' . script_name($name) . '?log=0');
}

/** A request that is held back by no other: limits are known by key, and each has its own. */
function apart(string $uri, string $method = 'GET', mixed ...$more): Request
{
    return new Request($method, $uri, ...$more, limitKey: uniqid(more_entropy: true));
}

/** Waits in poll(), for at most 5 s, until this holds. */
function poll_until(callable $holds, Pending ...$pending): void
{
    $until = hrtime(true) + 5_000_000_000;
    while (!$holds()) {
        if (hrtime(true) > $until) {
            fail('it did not come about within 5 s');
            return;
        }
        RetryClient::poll(array_filter($pending, static fn(Pending $one) => !$one->done()) ?: $pending, 0.02);
    }
}

/**
 * A step that sends these chunks, with a pause between them.
 *
 * @param list<string> $chunks
 * @return array<string, mixed>
 */
function chunks(array $chunks, int $pause = 0, mixed ...$more): array
{
    return ['chunks' => $chunks, 'chunked' => true, ...($pause > 0 ? ['drip' => ['every_ms' => $pause]] : []), ...$more];
}

/** Bytes of this process that are in memory. */
function resident(): int
{
    return 1024 * (int) preg_replace('/.*VmRSS:\s+(\d+) kB.*/s', '$1', (string) file_get_contents('/proc/self/status'));
}

/**
 * Runs a file in a PHP process of its own, to its end.
 *
 * @param list<string> $arguments
 * @return array{int, string, string} exit code, stdout, stderr
 */
function run_php(string $file, array $arguments = [], array $directives = []): array
{
    $process = proc_open([...php_command($directives), $file, ...$arguments], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['file', $errors = tempnam(sys_get_temp_dir(), 'err'), 'w']], $pipes);
    $said = (string) stream_get_contents($pipes[1]);
    $code = proc_close($process);
    $complained = (string) file_get_contents($errors);
    unlink($errors);
    return [$code, $said, $complained];
}
