<?php

/**
 * Where it was measured, the tables on the screen, and the same tables in docs/benchmarks.md.
 */

declare(strict_types=1);

const DOCUMENT = 'docs/benchmarks.md';

/** @return array<string, string> what the numbers depend on */
function machine(Setting $setting): array
{
    $versions = $setting->php('versions.php', []);
    $processor = preg_match('/^model name\s*:\s*(.*)$/m', (string) @file_get_contents('/proc/cpuinfo'), $m) ? $m[1] : php_uname('m');
    $processors = (int) shell_exec('nproc');
    return [
        'date' => gmdate('Y-m-d'),
        'CPU' => "$processor, $processors in use",
        'kernel' => php_uname('s') . ' ' . php_uname('r'),
        'PHP' => $versions['php'],
        'retry_client' => $versions['retry_client'],
        'ext-curl' => $versions['curl'],
        'Guzzle' => package_version('php-guzzlehttp-guzzle'),
        'Symfony HttpClient' => package_version('php-symfony-http-client'),
        'nginx' => trim((string) shell_exec('nginx -v 2>&1 | sed s,.*/,,')),
        'wrk' => package_version('wrk'),
        'rustc' => trim((string) shell_exec('rustc --version 2>/dev/null | cut -d" " -f2')),
        'load when it began' => sprintf('%.1f', sys_getloadavg()[0]),
    ];
}

function package_version(string $package): string
{
    return trim((string) shell_exec("dpkg-query -W -f='\${Version}' $package 2>/dev/null")) ?: 'unknown';
}

/**
 * Prints each line as it comes.
 *
 * @param iterable<Line> $lines
 * @return list<Line>
 */
function print_lines(string $title, iterable $lines): array
{
    $printed = [];
    $group = '';
    foreach ($lines as $line) {
        end_progress();
        if (!$printed) {
            echo "\n$title\n", aligned($line, array_keys($line::COLUMNS));
        }
        if ($line->group() !== $group) {
            $group = $line->group();
            echo "$group\n";
        }
        echo aligned($line, $line->cells());
        $printed[] = $line;
    }
    return $printed;
}

/** @param list<string> $cells */
function aligned(Line $line, array $cells): string
{
    return rtrim('  ' . implode('', array_map(pad(...), $cells, $line::COLUMNS))) . "\n";
}

function pad(string $text, int $width): string
{
    return $text . str_repeat(' ', max(1, $width - mb_strlen($text)));
}

/** @param list<Line> $lines */
function markdown_lines(array $lines): string
{
    $columns = array_keys($lines[0]::COLUMNS);
    $rows = [markdown_row($columns), '|' . str_repeat('---|', count($columns))];
    $group = '';
    foreach ($lines as $line) {
        if ($line->group() !== $group) {
            $group = $line->group();
            $rows[] = markdown_row(array_pad(["**$group**"], count($columns), ''));
        }
        $rows[] = markdown_row($line->cells());
    }
    return implode("\n", $rows);
}

/** @param list<string> $cells */
function markdown_row(array $cells): string
{
    return '| ' . implode(' | ', array_map(trim(...), $cells)) . ' |';
}

/** @param array<string, string> $facts */
function markdown_facts(array $facts): string
{
    $lines = ['| | |', '|---|---|'];
    foreach ($facts as $name => $value) {
        $lines[] = "| $name | $value |";
    }
    return implode("\n", $lines);
}

/**
 * Replaces what stands between the markers of each section; the prose around them is written by hand.
 *
 * @param array<string, string> $sections name => Markdown
 */
function write_document(array $sections): void
{
    $text = (string) file_get_contents(DOCUMENT);
    foreach ($sections as $name => $content) {
        $pattern = "/(<!-- results: $name -->\n).*?(<!-- end of results -->)/s";
        $text = preg_replace_callback($pattern, static fn(array $m): string => "$m[1]$content\n$m[2]", $text, -1, $count);
        if ($count !== 1) {
            throw new RuntimeException(DOCUMENT . " has no section <!-- results: $name -->");
        }
    }
    file_put_contents(DOCUMENT, $text);
}
