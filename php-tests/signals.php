<?php

/** What the tests of signals and forks share. */

declare(strict_types=1);

/**
 * Sends a signal to this process after so many seconds, from a child. The function returned waits for the child and gives
 * the instant at which the first was sent, on hrtime()'s clock.
 *
 * @return Closure(): int
 */
function signal_after(float $seconds, int $signal, int $times = 1, float $apart = 0.0): Closure
{
    [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $parent = getmypid();
    $child = child(static function () use ($seconds, $signal, $times, $apart, $there, $parent): void {
        usleep((int) ($seconds * 1e6));
        fwrite($there, pack('q', hrtime(true)));
        for (; $times > 0; $times--, usleep((int) ($apart * 1e6))) {
            posix_kill($parent, $signal);
        }
    });
    fclose($there);
    return static function () use ($here, $child): int {
        static $sent;
        $sent ??= unpack('q', fread($here, 8))[1];
        joined($child);
        return $sent;
    };
}

/** Runs a function in a forked child and returns the child's id. Neither destructors nor shutdown functions run in it. */
function child(callable $work): int
{
    $child = pcntl_fork();
    if ($child === 0) {
        try {
            $work();
        } catch (Throwable $thrown) {
            echo 'in a child: ', $thrown::class, ': ', $thrown->getMessage(), "\n";
        }
        posix_kill(getmypid(), SIGKILL);
    }
    return $child;
}

/** Waits for a child. */
function joined(int $child): void
{
    while (pcntl_waitpid($child, $status) === -1 && pcntl_get_last_error() === PCNTL_EINTR);
}
