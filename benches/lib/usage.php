<?php

/**
 * What this process has used. For the scripts of benches/cli: the benches themselves run in another process.
 */

declare(strict_types=1);

/** User and system time of this process, all its threads, in microseconds. */
function cpu(): float
{
    $used = getrusage();
    return ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1e6 + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
}

/** Resident memory, in bytes. */
function resident(): int
{
    return preg_match('/^VmRSS:\s+(\d+) kB$/m', file_get_contents('/proc/self/status'), $m) ? 1024 * (int) $m[1] : 0;
}
