<?php

/**
 * What the phpt and phpunit tests share: the scripted server (php-tests/server/README.md) and assertions on delays.
 *
 * A test prints `done` as its last line and expects nothing else; a failed assertion prints its line and goes on, so that
 * one run shows all that is wrong. Script names are made unique to the test, so that tests can run side by side.
 */

declare(strict_types=1);

/** The server's addresses and files, or one of them: `server('https')`. */
function server(?string $key = null): mixed
{
    static $server;
    $server ??= json_decode(
        file_get_contents(getenv('RETRY_CLIENT_TEST_SERVER') ?: throw new Error('RETRY_CLIENT_TEST_SERVER is not set: run php-tests/run')),
        true,
        flags: JSON_THROW_ON_ERROR,
    );
    return $key === null ? $server : ($server[$key] ?? throw new Error("the test server has no $key"));
}

/** A request to the server's control endpoints. */
function control(string $method, string $path, mixed $body = null): mixed
{
    $answer = file_get_contents(server('control') . $path, context: stream_context_create(['http' => [
        'method' => $method,
        'header' => 'Content-Type: application/json',
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'ignore_errors' => true,
        'timeout' => 30,
    ]]));
    $decoded = json_decode((string) $answer, true, flags: JSON_THROW_ON_ERROR);
    return isset($decoded['error']) ? throw new Error("$method $path: $decoded[error]") : $decoded;
}

/** The name under which the server knows this test's script. */
function script_name(string $name): string
{
    $test = $_SERVER['SCRIPT_FILENAME'];
    return preg_replace('/[^A-Za-z0-9._-]/', '-', basename(dirname($test)) . '.' . basename($test, '.php') . ".$name");
}

/**
 * Makes the server answer requests to the returned URL with these steps, in order; the last one repeats.
 *
 * @param list<array<string, mixed>>|array{steps: list<array<string, mixed>>, then: string} $steps
 * @param string $on the listener: http, https, h2, h2c, mtls, …
 */
function script(string $name, array $steps, string $on = 'http'): string
{
    $unique = script_name($name);
    control('POST', "/_script/$unique", $steps);
    return server($on) . "/$unique";
}

/**
 * What arrived for a script, in order of arrival; waits until there are at least so many.
 *
 * Times are `monotonic_ns`, PHP's hrtime(true). `header($entry, 'name')` reads a header of an entry.
 *
 * @return list<array<string, mixed>>
 */
function received(string $name, int $atLeast = 0): array
{
    $log = control('GET', '/_log/' . script_name($name) . "?wait=$atLeast&timeout_ms=5000");
    if (count($log) < $atLeast) {
        fail("$name: " . count($log) . " requests arrived, expected at least $atLeast");
    }
    return $log;
}

/**
 * The values of a header of a log entry, null if it was not sent, a string if it was sent once.
 *
 * @param array<string, mixed> $entry
 * @return string|list<string>|null
 */
function header_of(array $entry, string $name): string|array|null
{
    $values = [];
    foreach ($entry['headers'] as [$key, $value]) {
        if (strcasecmp($key, $name) === 0) {
            $values[] = $value;
        }
    }
    return match (count($values)) { 0 => null, 1 => $values[0], default => $values };
}

/** The body of a log entry. */
function body_of(array $entry): string
{
    return base64_decode($entry['body_base64'], true);
}

/**
 * Seconds from each arrival of a log to the next.
 *
 * @param list<array<string, mixed>> $log
 * @return list<float>
 */
function gaps(array $log): array
{
    $gaps = [];
    for ($i = 1; $i < count($log); $i++) {
        $gaps[] = ($log[$i]['monotonic_ns'] - $log[$i - 1]['monotonic_ns']) / 1e9;
    }
    return $gaps;
}

/** Opens a gate at which steps with `hold` wait. Gate names are shared by all tests: use script_name(). */
function release(string $gate): void
{
    control('POST', "/_release/$gate");
}

/** A new folder, removed when the test ends. */
function folder(): string
{
    $folder = sys_get_temp_dir() . '/retry_client-' . bin2hex(random_bytes(6));
    mkdir($folder, 0700);
    $owner = getmypid();
    register_shutdown_function(static function () use ($folder, $owner): void {
        if (getmypid() === $owner) {
            shell_exec('rm -rf ' . escapeshellarg($folder));
        }
    });
    return $folder;
}

/**
 * The beginning of a command that runs PHP with the extension, unless it is to be loaded later, and with these directives.
 * It shares what is known about limits with the test unless it is told otherwise, and without php-tests/run with nobody.
 *
 * @param array<string, string|null> $directives null: not set
 * @return list<string>
 */
function php_command(array $directives = [], bool $loaded = true): array
{
    $command = [PHP_BINARY, '-n', ...($loaded ? ['-d', 'extension=' . getenv('RETRY_CLIENT_SO')] : [])];
    $directives += ['retry_client.shared_memory' => (string) get_cfg_var('retry_client.shared_memory')];
    foreach (array_filter($directives, is_string(...)) as $name => $value) {
        array_push($command, '-d', "$name=$value");
    }
    return $command;
}

/** Seconds that a call takes; what it returns or throws is left in $outcome. */
function seconds(callable $call, mixed &$outcome = null): float
{
    $begin = hrtime(true);
    try {
        $outcome = $call();
    } catch (Throwable $thrown) {
        $outcome = $thrown;
    }
    return (hrtime(true) - $begin) / 1e9;
}

/** What a call throws; a failure if it is not of this class. */
function thrown_by(callable $call, string $class = Throwable::class): ?Throwable
{
    try {
        $returned = $call();
    } catch (Throwable $thrown) {
        if (!$thrown instanceof $class) {
            fail("expected $class, got " . $thrown::class . ': ' . $thrown->getMessage());
        }
        return $thrown;
    }
    fail("expected $class, got no exception but " . show($returned));
    return null;
}

/** For refusals: the class and the whole message count. */
function assert_throws(string $class, string $message, callable $call): void
{
    try {
        $returned = $call();
    } catch (Throwable $thrown) {
        assert_same([$class, $message], [$thrown::class, $thrown->getMessage()], 'what is thrown');
        return;
    }
    fail("expected $class: $message, got no exception but " . show($returned));
}

/** How PHP refuses a reference to a readonly property, or a change of an array in it: since 8.4 in its own words. */
function indirectly(string $message): string
{
    return PHP_VERSION_ID < 80400 ? $message : str_replace('Cannot modify', 'Cannot indirectly modify', $message);
}

/** Whether max_execution_time is each thread's own, as in PHP with threads from 8.3 on. Such a timer goes by the clock. */
function has_timers_per_thread(): bool
{
    ob_start();
    phpinfo(INFO_GENERAL);
    return str_contains((string) ob_get_clean(), 'Zend Max Execution Timers => enabled');
}

function assert_same(mixed $expected, mixed $actual, string $what = 'value'): void
{
    if ($expected !== $actual) {
        fail("$what: expected " . show($expected) . ', got ' . show($actual));
    }
}

function assert_true(bool $holds, string $what): void
{
    if (!$holds) {
        fail($what);
    }
}

/** For delays: both ends included. Under valgrind, where everything takes many times as long, only the lower one counts. */
function assert_between(float $least, float $most, float $actual, string $what = 'value'): void
{
    $most = getenv('USE_ZEND_ALLOC') === '0' ? INF : $most;
    if (!($least <= $actual && $actual <= $most)) {
        fail(sprintf('%s: expected %.4f to %.4f, got %.4f', $what, $least, $most, $actual));
    }
}

function assert_contains(string $needle, string $haystack, string $what = 'text'): void
{
    if (!str_contains($haystack, $needle)) {
        fail("$what: expected to contain " . show($needle) . ', got ' . show($haystack));
    }
}

function assert_not_contains(string $needle, string $haystack, string $what = 'text'): void
{
    if (str_contains($haystack, $needle)) {
        fail("$what: expected not to contain " . show($needle) . ', got ' . show($haystack));
    }
}

function fail(string $message): void
{
    foreach (debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS) as $frame) {
        if (dirname($frame['file'] ?? __FILE__) !== __DIR__) {    // not this file or another that tests share
            echo "FAIL line $frame[line]: $message\n";
            return;
        }
    }
    echo "FAIL $message\n";
}

function show(mixed $value): string
{
    return is_object($value) && !$value instanceof UnitEnum ? $value::class : var_export($value, true);
}

function done(): void
{
    echo "done\n";
}
