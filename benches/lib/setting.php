<?php

/**
 * Where the benches run: the extension, the test server, a temporary folder, and PHP with nothing but what is named.
 */

declare(strict_types=1);

final class Setting
{
    public readonly string $extension;
    public readonly string $folder;
    /** Folder of what the processes share, away from what this user's other processes know. */
    public readonly string $shared;
    public readonly TestServer $server;

    public function __construct(public readonly bool $quick)
    {
        $this->extension = realpath(getenv('EXTENSION') ?: 'build/modules/retry_client.so')
            ?: throw new Unavailable('the extension is not built: make build');
        $this->folder = sys_get_temp_dir() . '/retry_client-bench-' . bin2hex(random_bytes(6));
        mkdir($this->folder, 0700);
        mkdir("$this->folder/no-ini");
        $this->shared = (is_writable('/dev/shm') ? '/dev/shm/' : sys_get_temp_dir() . '/') . basename($this->folder) . '-shared';
        mkdir($this->shared, 0700);
        register_shutdown_function(fn() => shell_exec('rm -rf ' . escapeshellarg($this->folder) . ' ' . escapeshellarg($this->shared)));
        $this->server = new TestServer($this->folder);
        $ini = $this->ini(['curl', 'ctype', 'iconv', 'mbstring']);
        file_put_contents("$this->folder/without.ini", $ini);
        file_put_contents("$this->folder/with.ini", "{$ini}extension=$this->extension\nretry_client.shared_memory=\"$this->shared\"\n");
    }

    /** The full measure, or the short one that only shows that the bench works. */
    public function size(int $full, int $quick): int
    {
        return $this->quick ? $quick : $full;
    }

    public function iniFile(bool $extension = true): string
    {
        return "$this->folder/" . ($extension ? 'with' : 'without') . '.ini';
    }

    /**
     * What a PHP script of benches/cli prints, as JSON, run by PHP with the extension.
     *
     * @param list<string> $arguments
     */
    public function php(string $script, array $arguments): mixed
    {
        return json_decode(run($this->command($script, $arguments), $this->environment()), true, flags: JSON_THROW_ON_ERROR);
    }

    /**
     * @param list<string> $arguments
     * @param list<string> $options PHP's
     * @return list<string>
     */
    public function command(string $script, array $arguments, array $options = []): array
    {
        return [PHP_BINARY, '-c', $this->iniFile(), ...$options, "benches/cli/$script", ...$arguments];
    }

    /**
     * Only the given php.ini counts: the files that a distribution adds to it are looked for in a folder without any.
     *
     * @return array<string, string>
     */
    public function environment(): array
    {
        return ['PHP_INI_SCAN_DIR' => "$this->folder/no-ini"] + getenv();
    }

    /**
     * All clients take the CA file from here, as they would take the system's.
     *
     * @param list<string> $extensions those of PHP's own that are files here and not built in
     */
    private function ini(array $extensions): string
    {
        $lines = ["display_errors=stderr\n", "memory_limit=512M\n", "curl.cainfo={$this->server->of('ca')}\n"];
        foreach ($extensions as $name) {
            if (is_file(PHP_EXTENSION_DIR . "/$name.so")) {
                $lines[] = "extension=$name\n";
            }
        }
        if (is_file(PHP_EXTENSION_DIR . '/opcache.so')) {
            $lines[] = "zend_extension=opcache\n";
        }
        return implode('', [...$lines, "opcache.enable=1\n", "opcache.enable_cli=1\n"]);
    }
}

/** A bench or a contender cannot run on this machine; the message says what is missing. */
final class Unavailable extends RuntimeException {}
