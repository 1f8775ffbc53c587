<?php

/**
 * wrk, the load generator.
 */

declare(strict_types=1);

/** Its path; root on Debian gets it installed. */
function load_generator(): string
{
    $find = static fn(): string => trim((string) shell_exec('command -v wrk'));
    if ($find() === '' && posix_getuid() === 0 && is_executable('/usr/bin/apt-get')) {
        fwrite(STDERR, "\nwrk, the load generator, is missing: apt-get install wrk\n");
        passthru('DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends wrk >&2 </dev/null');
    }
    return $find() ?: throw new Unavailable('wrk, the load generator, is missing: apt-get install wrk');
}

/** Answers per second over so many connections; an answer that is none is an error. */
function wrk_rate(string $wrk, string $url, int $connections, int $seconds): float
{
    $output = run([$wrk, '-t1', "-c$connections", "-d{$seconds}s", $url]);
    if (str_contains($output, 'Non-2xx') || str_contains($output, 'Socket errors') || !preg_match('/Requests\/sec:\s+([\d.]+)/', $output, $m)) {
        throw new RuntimeException("wrk: requests to $url failed\n$output");
    }
    return (float) $m[1];
}
